"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const zones = [...document.querySelectorAll(".zone")].map((element) => ({ element, text: null }));
  const details = zones.map((zone) => zone.element).filter((element) => element.localName === "details");
  const buttons = [...document.querySelectorAll(".count")];
  const field = byId("filter");
  const toggle = byId("toggle");
  let state = "all";

  document.documentElement.classList.add("live");

  // Text is read once, when it is first asked for: a page can hold a hundred thousand lines.
  const holds = (zone, words) => {
    if (!words.length) return true;
    zone.text ??= zone.element.textContent.toLowerCase();
    return words.every((word) => zone.text.includes(word));
  };

  const apply = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const zone of zones) {
      const fits = (state === "all" || zone.element.dataset.state === state) && holds(zone, words);
      if (zone.element.hidden === fits) zone.element.hidden = !fits;
      shown += fits;
    }
    const all = zones.length;
    byId("showing").textContent = shown === all
      ? `${all.toLocaleString("en")} ${all === 1 ? "zone" : "zones"}`
      : `${shown.toLocaleString("en")} of ${all.toLocaleString("en")} zones`;
    byId("none").hidden = shown > 0 || !all;
  };

  const label = () => {
    toggle.textContent = details.some((one) => !one.hidden && !one.open) ? "Expand all" : "Collapse all";
  };

  field.addEventListener("input", () => { apply(); label(); });
  for (const button of buttons) {
    button.addEventListener("click", () => {
      state = state === button.dataset.state ? "all" : button.dataset.state;
      for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.state === state));
      apply();
      label();
    });
  }
  toggle.addEventListener("click", () => {
    const open = details.some((one) => !one.hidden && !one.open);
    for (const one of details) if (!one.hidden) one.open = open;
    label();
  });
  document.addEventListener("toggle", label, true);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && event.target !== field && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      field.focus();
      field.select();
    } else if (event.key === "Escape" && event.target === field) {
      field.value = "";
      apply();
      label();
    }
  });

  // On paper nothing can be opened.
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([hidden], [open])")];
    for (const one of closed) one.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const one of closed) one.open = false;
    closed = [];
  });
  apply();
  label();
})();
