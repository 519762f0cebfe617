import os, fcntl
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import *
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
LOCK_TIMEOUT = 600.0
def short_lived(folder): return ""
class FolderStore:
    ahead = 0.0
    def __init__(self, state_dir, base_url, zone, lock_timeout=600):
        self.zone=zone; self.folder=Path(os.path.expanduser(state_dir)); self.warnings=[]
        self.path=self.folder/(sha256(f'{base_url} {zone}'.encode()).hexdigest()[:16]+"-"+zone+"json"); self.place=str(self.path)
    def load(self):
        try: content=self.path.read_bytes()
        except FileNotFoundError: return Document()
        return document_of(content,self.zone,machine().time())
    @contextmanager
    def lock(self):
        self.folder.mkdir(parents=True,exist_ok=True)
        with open(str(self.path)+".lock","w") as f:
            fcntl.flock(f,fcntl.LOCK_EX)
            yield self.load()
    def save(self,document):
        self.path.write_bytes(document_bytes(document))
    def check_held(self): pass
    def notify(self,state): pass
