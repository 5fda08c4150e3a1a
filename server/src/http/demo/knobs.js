/** The page with a knob for each custom property of the comments: what they are set to is shown, and written as CSS. */

/** The knobs by group: the property, what it is called, and its range in a unit, or how the comments compute its colour. */
const groups = {
  'The page around it': [
    { name: 'font-size', label: 'Text size', from: 0.75, to: 1.5, step: 0.0625, unit: 'em', value: 1 },
    {
      name: '--confab-line-height',
      label: 'Line height',
      from: 1.2,
      to: 2,
      step: 0.05,
      unit: '',
      value: 1.55,
    },
    { name: '--confab-max-width', label: 'Maximum width', from: 20, to: 80, step: 1, unit: 'em', value: 80 },
  ],
  Colours: [
    { name: '--confab-color', label: 'Text', inEffect: 'currentColor' },
    { name: '--confab-quiet-color', label: 'Secondary text', inEffect: 'var(--quiet)' },
    { name: '--confab-line-color', label: 'Lines', inEffect: 'var(--line)' },
    { name: '--confab-soft-color', label: 'Soft backgrounds', inEffect: 'var(--soft)' },
    { name: '--confab-accent-color', label: 'Links and accents', inEffect: 'var(--accent)' },
    { name: '--confab-focus-color', label: 'Focus', inEffect: 'var(--focus)' },
    {
      name: '--confab-hover-color',
      label: 'Button hover',
      inEffect: 'var(--confab-hover-color, var(--soft))',
    },
    {
      name: '--confab-field-color',
      label: 'Comment field',
      inEffect: 'var(--confab-field-color, transparent)',
    },
    {
      name: '--confab-on-accent-color',
      label: 'Main button text',
      inEffect: 'var(--confab-on-accent-color, Canvas)',
    },
    {
      name: '--confab-danger-color',
      label: 'Danger',
      inEffect: 'var(--confab-danger-color, light-dark(#b3261e, #ffb4ab))',
    },
    {
      name: '--confab-dialog-background',
      label: 'Dialog background',
      inEffect: 'var(--confab-dialog-background, Canvas)',
    },
    {
      name: '--confab-dialog-color',
      label: 'Dialog text',
      inEffect: 'var(--confab-dialog-color, CanvasText)',
    },
  ],
  Shapes: [
    { name: '--confab-radius', label: 'Corner radius', from: 0, to: 2, step: 0.05, unit: 'em', value: 0.5 },
    {
      name: '--confab-button-radius',
      label: 'Button radius',
      from: 0,
      to: 2,
      step: 0.05,
      unit: 'em',
      value: 0.5,
    },
    {
      name: '--confab-dialog-radius',
      label: 'Dialog radius',
      from: 0,
      to: 2,
      step: 0.05,
      unit: 'em',
      value: 1,
    },
    {
      name: '--confab-tool-size',
      label: 'Toolbar size',
      from: 1.5,
      to: 3.5,
      step: 0.25,
      unit: 'em',
      value: 2.25,
    },
    {
      name: '--confab-avatar-size',
      label: 'Avatar size',
      from: 1.25,
      to: 4,
      step: 0.25,
      unit: 'em',
      value: 2.5,
    },
    {
      name: '--confab-avatar-radius',
      label: 'Avatar radius',
      from: 0,
      to: 50,
      step: 1,
      unit: '%',
      value: 50,
    },
  ],
  Space: [
    {
      name: '--confab-space',
      label: 'Between comments',
      from: 0.25,
      to: 3,
      step: 0.05,
      unit: 'em',
      value: 1.5,
    },
    { name: '--confab-indent', label: 'Before replies', from: 0, to: 3, step: 0.05, unit: 'em', value: 1.25 },
  ],
  Type: [
    {
      name: '--confab-heading-size',
      label: 'Heading',
      from: 0.875,
      to: 2,
      step: 0.0625,
      unit: 'em',
      value: 1.25,
    },
    {
      name: '--confab-name-weight',
      label: 'Name weight',
      from: 300,
      to: 900,
      step: 50,
      unit: '',
      value: 650,
    },
    {
      name: '--confab-small-size',
      label: 'Small text',
      from: 0.75,
      to: 1,
      step: 0.0125,
      unit: 'em',
      value: 0.875,
    },
  ],
};

const form = document.querySelector('form');
const code = document.querySelector('#written code');
const status = document.querySelector('[role="status"]');
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);
/** What has been turned, by property; the others stay as they are. */
const turned = new Map();
/** The text of each theme that has been chosen once. */
const themes = new Map([['', '']]);

function make(name, fields, ...children) {
  const element = Object.assign(document.createElement(name), fields);
  element.append(...children);
  return element;
}

/**
 * The colour that an expression has in the comments, as `#rrggbb`. What shines through is mixed with the page below, because
 * an input of colours knows no transparency.
 */
function colourInEffect(expression) {
  const probe = make('i', {});
  const ground = make('i', {});
  probe.style.color = expression;
  ground.style.color = 'Canvas';
  // The comments may not be drawn yet, and their properties are those of a root.
  const root = make('div', { className: 'root', hidden: true }, probe, ground);
  document.querySelector('confab-comments').shadowRoot.append(root);
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  for (const { color } of [getComputedStyle(ground), getComputedStyle(probe)]) {
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
  }
  root.remove();
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Shows each colour that has not been turned as it is in effect: that of the page, of the theme, or of another knob. */
function showColours() {
  for (const { name, inEffect } of groups.Colours)
    if (!turned.has(name)) form.elements[name].value = colourInEffect(inEffect);
}

function knob({ name, label, from, to, step, unit, value }) {
  const isColour = unit === undefined;
  const shown = make('output', { textContent: isColour ? '' : `${value}${unit}` });
  const input = make(
    'input',
    isColour ? { type: 'color', name } : { type: 'range', min: from, max: to, step, value },
  );
  input.setAttribute('aria-label', label);
  input.addEventListener('input', () => {
    const text = isColour ? input.value : `${Number(input.value)}${unit}`;
    shown.textContent = text;
    turned.set(name, text);
    write();
  });
  form.addEventListener('reset', () => {
    shown.textContent = isColour ? '' : `${value}${unit}`;
  });
  return make('label', {}, make('span', { textContent: label }), input, shown);
}

function write() {
  const rules = [...turned].map(([name, value]) => `  ${name}: ${value};\n`).join('');
  const own = rules === '' ? '' : `confab-comments {\n${rules}}\n`;
  const text = [themes.get(form.elements.theme.value) ?? '', own].filter((part) => part !== '').join('\n');
  code.textContent = text === '' ? '/* Nothing to write: the comments look like your page. */' : text;
  sheet.replaceSync(text);
  if (customElements.get('confab-comments') !== undefined) showColours();
}

document
  .querySelector('#knobs')
  .append(
    ...Object.entries(groups).map(([title, knobs]) =>
      make('fieldset', {}, make('legend', { textContent: title }), ...knobs.map(knob)),
    ),
  );

form.addEventListener('submit', (event) => event.preventDefault());
document.querySelector('#again').addEventListener('click', () => {
  turned.clear();
  form.reset();
  write();
});
form.elements.theme.addEventListener('change', async ({ target: { value } }) => {
  if (!themes.has(value)) themes.set(value, await (await fetch(`/elements/themes/${value}.css`)).text());
  write();
});
document.querySelector('#copy').addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(code.textContent);
    status.textContent = 'Copied.';
  } catch {
    getSelection().selectAllChildren(code);
    status.textContent = 'Copy the selected text.';
  }
});
write();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showColours);
await customElements.whenDefined('confab-comments');
showColours();
