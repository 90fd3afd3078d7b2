import type { PageDocument } from "./dom.ts";

/** What no reader of text wants, or what is there for the eye alone. */
const NOISE = "script, style, noscript, template, iframe, object, embed, svg, link, title, " +
  "input, button, select, dialog, [hidden], [aria-hidden='true']";

/** Numbers beside the lines of code, as highlighters write them (Pygments, Rouge, Prism, GitHub). */
const LINE_NUMBERS = "td.linenos, td.gutter, td.rouge-gutter, td.blob-num, td.hljs-ln-numbers, " +
  "pre .linenos, pre .lineno, pre .line-numbers-rows";

/** Takes out of a page what says nothing, and brings forth what is only not in sight yet. */
export function removeNoise(page: PageDocument): void {
  showTabs(page);
  showFormulas(page);
  for (const element of page.querySelectorAll(`${NOISE}, ${LINE_NUMBERS}`)) {
    // What math and icons hide from screen readers has its text beside it; images are kept.
    if (element.localName !== "body" && element.localName !== "html") element.remove();
  }
  removeAnchors(page);
}

/** Of tabs, as for several languages, all but one are hidden until somebody chooses. */
function showTabs(page: PageDocument): void {
  for (const panel of page.querySelectorAll("[role='tabpanel'], [hidden='until-found']")) {
    panel.removeAttribute("hidden");
    panel.removeAttribute("aria-hidden");
  }
}

/** Formulas as the TeX that they were made of, where it came along (MathML, 5.1). */
function showFormulas(page: PageDocument): void {
  for (const formula of page.querySelectorAll("math")) {
    const source = formula.querySelector("annotation[encoding='application/x-tex']")?.textContent;
    const tex = (source ?? formula.getAttribute("alttext") ?? "").replaceAll(/\s+/g, " ").trim();
    if (tex !== "") formula.replaceWith(`$${tex}$`);
  }
}

/** Marks by which a heading can be linked to. */
function removeAnchors(page: PageDocument): void {
  for (const link of page.querySelectorAll("h1 a, h2 a, h3 a, h4 a, h5 a, h6 a")) {
    const text = link.textContent ?? "";
    if (/^[\s#¶§🔗\u200b]*$/u.test(text) && !link.querySelector("img")) link.remove();
  }
}
