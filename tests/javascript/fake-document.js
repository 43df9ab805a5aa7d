// As much of a document as scripts need to be loaded and to draw without a browser: elements that remember.
class FakeElement {
  /** @param {string} tag */
  constructor(tag) {
    this.tag = tag;
    this.attributes = {};
    this.children = [];
    this.textContent = "";
  }

  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  getAttribute(name) {
    return this.attributes[name] ?? null;
  }

  append(...children) {
    this.children.push(...children);
  }

  /** Return all elements below this one whose tag is *tag*. */
  all(tag) {
    return this.children.flatMap((child) => [...(child.tag === tag ? [child] : []), ...(child.all?.(tag) ?? [])]);
  }
}

globalThis.document = {
  querySelector: () => null,
  documentElement: { lang: "en" },
  hidden: false,
  getElementById: () => null,
  createElement: (tag) => new FakeElement(tag),
  createElementNS: (_, tag) => new FakeElement(tag),
};
