/** The part of the DOM that reading a page needs: Deno has no types of it. */
export interface PageNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<PageNode>;
}

/** An element of a page or an XML document. */
export interface PageElement extends PageNode {
  /** As written in XML, in lower case in HTML. */
  readonly localName: string;
  readonly children: Iterable<PageElement> & { readonly length: number };
  readonly parentElement: PageElement | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  hasAttribute(name: string): boolean;
  removeAttribute(name: string): void;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  closest(selector: string): PageElement | null;
  remove(): void;
  replaceWith(text: string): void;
  before(element: PageElement): void;
  append(child: PageElement | string): void;
  cloneNode(deep: boolean): PageElement;
}

/** A whole page or XML document. */
export interface PageDocument {
  /** Null where nothing was there to parse. */
  readonly documentElement: PageElement | null;
  readonly childNodes: Iterable<PageNode>;
  readonly body: PageElement;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  cloneNode(deep: boolean): PageDocument;
}
