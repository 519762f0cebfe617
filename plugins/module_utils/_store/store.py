import os
class StateError(Exception): pass
class LockLost(StateError): pass
class Store: pass
def this_run(): return f"host {os.uname().nodename}, pid {os.getpid()}"
