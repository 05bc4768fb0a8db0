"use strict";
// The page works without this: it adds a filter, and buttons that copy a command.
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  for (const command of all(".command")) {
    const button = make("button", { type: "button", textContent: "Copy", className: "copy" });
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(command.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(command);
        button.textContent = "Marked: press Ctrl+C";
      }
    });
    command.after(button);
  }

  const cards = all(".card[data-rule]");
  const skills = all(".skill[data-decision]");
  const rows = all(".index tbody tr");
  const banner = document.querySelector(".banner");
  if (!banner || (skills.length < 2 && cards.length < 6)) return;

  const counted = (values) => {
    const table = new Map();
    for (const value of values) table.set(value, (table.get(value) || 0) + 1);
    return table;
  };
  const choice = (label, none, table) => {
    const select = make("select", {}, make("option", { value: "", textContent: none }));
    for (const [value, number] of table) {
      select.append(make("option", { value, textContent: `${value} (${number})` }));
    }
    return [make("label", {}, make("span", { textContent: label }), select), select];
  };
  const [decisionLabel, decision] = choice("Decision", "every decision", counted(skills.map((s) => s.dataset.decision)));
  const rules = new Map([...counted(cards.map((c) => c.dataset.rule))].sort());
  const [ruleLabel, rule] = choice("Rule", "every rule", rules);
  const said = make("p", { className: "shown" });
  said.setAttribute("role", "status");
  const form = make("form", { className: "controls" }, ...(skills.length > 1 ? [decisionLabel] : []), ruleLabel, said);
  form.setAttribute("aria-label", "Filter");
  const list = document.querySelector(".index") || banner.closest(".skill").querySelector(".part");
  list.before(form);

  const show = () => {
    for (const card of cards) card.hidden = rule.value !== "" && card.dataset.rule !== rule.value;
    for (const skill of skills) {
      const found = rule.value === "" || all(".card[data-rule]", skill).some((card) => !card.hidden);
      skill.hidden = skills.length > 1 && (!found || (decision.value !== "" && skill.dataset.decision !== decision.value));
      const fold = skill.closest(".one");
      if (fold) fold.hidden = skill.hidden;
    }
    for (const row of rows) {
      const skill = document.getElementById(row.dataset.skill);
      row.hidden = skill !== null && skill.hidden;
    }
    for (const safes of all(".safes")) {
      safes.hidden = all(".one", safes).every((fold) => fold.hidden);
      if (!safes.hidden && (rule.value !== "" || decision.value !== "")) safes.open = true;
    }
    const filtered = rule.value !== "" || decision.value !== "";
    const some = (things, noun) => {
      const left = things.filter((thing) => !thing.hidden && !thing.closest("[hidden]")).length;
      return `${left} of ${things.length} ${noun}`;
    };
    said.textContent = !filtered ? "" : skills.length > 1 ? some(skills, "skills shown") : some(cards, "kinds of finding shown");
  };
  form.addEventListener("change", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
})();
