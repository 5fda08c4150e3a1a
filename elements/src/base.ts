import { render, type TemplateResult } from 'lit/html.js';

/** The elements that are still to be drawn in this turn, and the end of that. */
const changed = new Set<BaseElement>();
let drawing: Promise<void> | undefined;

/**
 * What all elements have: they draw themselves with lit's templates, all that have changed in the next microtask.
 * This is what they need of `LitElement`, in an eighth of its size.
 */
export abstract class BaseElement extends HTMLElement {
  /** The style that it adopts. Without one it draws into itself, and has the style of the element around it. */
  static sheet: CSSStyleSheet | undefined;

  /** The properties that draw it again when they get another value. Declare each with its type: `declare place: Place`. */
  static properties: readonly string[] = [];

  /** Where it draws. */
  readonly root: ShadowRoot | HTMLElement;
  readonly #values: { [name: string]: unknown } = {};

  constructor() {
    super();
    const { sheet, properties } = this.constructor as typeof BaseElement;
    this.root = sheet === undefined ? this : this.attachShadow({ mode: 'open' });
    if (sheet !== undefined) (this.root as ShadowRoot).adoptedStyleSheets = [sheet];
    setAgain(this, properties);
  }

  /** Makes the properties once for all elements of the class: functions of their own would be most of what each takes. */
  static define(): void {
    // biome-ignore lint/complexity/noThisInStatic: each class has properties and a prototype of its own
    const { properties, prototype } = this;
    for (const name of properties)
      Object.defineProperty(prototype, name, {
        get(this: BaseElement) {
          return this.#values[name];
        },
        set(this: BaseElement, value: unknown) {
          if (Object.is(this.#values[name], value)) return;
          this.#values[name] = value;
          void this.redraw();
        },
      });
  }

  connectedCallback(): void {
    void this.redraw();
  }

  attributeChangedCallback(): void {
    void this.redraw();
  }

  /** Draws it again, once for all changes of a turn. Resolves when everything that has changed in the turn is drawn. */
  redraw(): Promise<void> {
    changed.add(this);
    drawing ??= Promise.resolve().then(() => {
      drawing = undefined;
      for (const each of changed) {
        changed.delete(each);
        if (!each.isConnected) continue;
        render(each.draw(), each.root, { host: each });
        each.drawn();
      }
    });
    return drawing;
  }

  /** What it shows now. */
  protected abstract draw(): TemplateResult;

  /** Called after each drawing. */
  protected drawn(): void {}
}

/** Sets again what was set before an element was defined, which hides the properties of its class. */
export function setAgain(element: HTMLElement, names: readonly string[]): void {
  for (const name of names)
    if (Object.hasOwn(element, name)) {
      const value = Reflect.get(element, name);
      Reflect.deleteProperty(element, name);
      Reflect.set(element, name, value);
    }
}

/** Defines an element. A script that is loaded twice defines it once. */
export function define(name: string, element: CustomElementConstructor): void {
  if (customElements.get(name) !== undefined) return;
  (element as Partial<typeof BaseElement>).define?.();
  customElements.define(name, element);
}
