// Improvements of pages that can be read without them: copying, tabs, search while typing, the heading in view.
"use strict";
(() => {
  const $ = (selector, within = document) => within.querySelector(selector);
  const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
  const store = {
    get: (name) => { try { return localStorage.getItem(name); } catch { return null; } },
    set: (name, value) => { try { localStorage.setItem(name, value); } catch { /* private windows may refuse */ } },
  };

  function make(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  function say(text) { $("#announcements").textContent = text; }

  async function copy(text, button, done) {
    try {
      await navigator.clipboard.writeText(text);
    } catch { // without https there is no clipboard
      const field = make("textarea", { class: "unseen" });
      field.value = text;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    const label = button.textContent;
    button.textContent = done;
    say(done);
    setTimeout(() => { button.textContent = label; }, 1500);
  }

  // Light and dark

  function startTheme() {
    const button = $(".theme"), root = document.documentElement;
    button.hidden = false;
    button.addEventListener("click", () => {
      const isDark = root.dataset.theme ? root.dataset.theme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = isDark ? "light" : "dark";
      store.set("theme", root.dataset.theme);
    });
  }

  // Code

  function addCopyButtons() {
    for (const figure of $$("figure.code")) {
      const button = make("button", { type: "button", class: "copy", "aria-label": "Copy the code" }, "Copy");
      button.addEventListener("click", () => copy($("code", figure).textContent.replace(/\n$/, ""), button, "Copied"));
      figure.append(button);
    }
  }

  // Blocks of one example in several languages become tabs; all examples follow one choice.
  function startTabs() {
    const groups = $$(".tabs").map((group, at) => {
      const figures = $$("figure.code", group);
      const list = make("div", { role: "tablist", "aria-label": "Language" });
      const tabs = figures.map((figure, index) => {
        figure.id = `example-${at}-${index}`;
        figure.setAttribute("role", "tabpanel");
        $("figcaption", figure)?.remove();
        const tab = make("button", { type: "button", role: "tab", "aria-controls": figure.id }, figure.dataset.language);
        tab.addEventListener("click", () => { choose(figure.dataset.language); store.set("language", figure.dataset.language); });
        tab.addEventListener("keydown", (event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (step) tabs[(index + step + tabs.length) % tabs.length].focus();
        });
        return tab;
      });
      list.append(...tabs);
      group.prepend(list);
      return { figures, tabs };
    });
    function choose(language) {
      for (const { figures, tabs } of groups) {
        const at = Math.max(0, figures.findIndex((figure) => figure.dataset.language === language));
        figures.forEach((figure, index) => { figure.hidden = index !== at; });
        tabs.forEach((tab, index) => tab.setAttribute("aria-selected", String(index === at)));
      }
    }
    choose(store.get("language"));
  }

  // The page for an assistant

  function startPageCopy() {
    const button = $(".copy-page");
    if (!button) return;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const answer = await fetch(button.dataset.markdown);
      if (answer.ok) await copy(await answer.text(), button, "Copied");
    });
  }

  // The heading in view

  function followReader() {
    const links = new Map($$(".here a").map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
    const headings = $$("article :is(h2, h3)[id]").filter((heading) => links.has(heading.id));
    if (!headings.length) return;
    const mark = () => {
      const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
      const current = passed.at(-1) || headings[0];
      for (const [id, link] of links) link.toggleAttribute("data-current", id === current.id);
    };
    addEventListener("scroll", () => requestAnimationFrame(mark), { passive: true });
    mark();
  }

  function showCurrentInNavigation() {
    const current = $("#navigation [aria-current]"), frame = $("#navigation");
    if (current && current.offsetTop > frame.clientHeight - 80) frame.scrollTop = current.offsetTop - frame.clientHeight / 2;
  }

  // Search

  function startSearch() {
    const dialog = $("dialog.search"), input = $("input", dialog), list = $("#results"), hint = $(".hint", dialog);
    const field = $(".find input");
    let asked = 0, at = 0, shown = "";

    function open(text = "") {
      if (dialog.open) return;
      input.value = text;
      dialog.showModal();
      input.focus();
      if (text) ask();
    }

    function point(index) {
      const options = $$("a", list);
      if (!options.length) return;
      at = (index + options.length) % options.length;
      options.forEach((option, i) => option.parentNode.setAttribute("aria-selected", String(i === at)));
      options[at].scrollIntoView({ block: "nearest" });
    }

    function show(results, query) {
      shown = query;
      list.replaceChildren(...results.map(({ url, page, heading, excerpt }) => make("li", { role: "option" },
        make("a", { href: url, tabindex: "-1" }, make("strong", {}, heading || page),
          make("span", {}, heading ? page : ""), make("p", {}, excerpt)))));
      hint.hidden = results.length > 0;
      hint.textContent = query ? "Nothing found. Try other words." : "Type to search guides, errors, events and settings.";
      point(0);
    }

    // Typed faster than the answer came: the page of results has the whole question.
    function enter() {
      const query = input.value.trim();
      if (shown === query) $$("a", list)[at]?.click();
      else if (query) location.assign("/guide/search?q=" + encodeURIComponent(query));
    }

    async function ask() {
      const query = input.value.trim(), number = ++asked;
      if (!query) { show([], ""); return; }
      const answer = await fetch("/guide/search.json?q=" + encodeURIComponent(query));
      if (number !== asked || !answer.ok) return; // a later question was asked meanwhile
      show((await answer.json()).results, query);
    }

    // Not when it gets the focus: who walks through the page by Tab must get past it.
    field.addEventListener("click", () => open(field.value));
    field.addEventListener("input", () => { open(field.value); field.value = ""; });
    input.addEventListener("input", ask);
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") { event.preventDefault(); point(at + 1); }
      else if (event.key === "ArrowUp") { event.preventDefault(); point(at - 1); }
      else if (event.key === "Enter") { event.preventDefault(); enter(); }
    });
    list.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    document.addEventListener("keydown", (event) => {
      const isTyping = event.target.closest("input, textarea, select");
      if ((event.key === "k" && (event.metaKey || event.ctrlKey)) || (event.key === "/" && !isTyping)) {
        event.preventDefault();
        open();
      }
    });
  }

  startTheme();
  addCopyButtons();
  startTabs();
  startPageCopy();
  followReader();
  showCurrentInNavigation();
  startSearch();
})();
