/** The page with a knob for each custom property of the comments: what they are set to is shown, and written as CSS. */

/** The knobs by group: the property, what it is called, and its range in a unit, or the colour it begins with. */
const groups = {
  'The page around it': [
    { name: 'font-size', label: 'Size of the type', from: 0.75, to: 1.5, step: 0.0625, unit: 'em', value: 1 },
    {
      name: '--confab-line-height',
      label: 'Height of lines',
      from: 1.2,
      to: 2,
      step: 0.05,
      unit: '',
      value: 1.55,
    },
    { name: '--confab-max-width', label: 'Greatest width', from: 20, to: 80, step: 1, unit: 'em', value: 80 },
  ],
  Colours: [
    { name: '--confab-color', label: 'Text' },
    { name: '--confab-quiet-color', label: 'Times and hints' },
    { name: '--confab-line-color', label: 'Lines' },
    { name: '--confab-soft-color', label: 'Soft backgrounds' },
    { name: '--confab-accent-color', label: 'Links and accents' },
    { name: '--confab-focus-color', label: 'Focus' },
    { name: '--confab-hover-color', label: 'Buttons under the pointer' },
    { name: '--confab-field-color', label: 'Field for a comment' },
    { name: '--confab-on-accent-color', label: 'Text of the main button' },
    { name: '--confab-danger-color', label: 'What removes something' },
    { name: '--confab-dialog-background', label: 'Dialogs' },
    { name: '--confab-dialog-color', label: 'Text in dialogs' },
  ],
  Shapes: [
    { name: '--confab-radius', label: 'Round corners', from: 0, to: 2, step: 0.05, unit: 'em', value: 0.5 },
    {
      name: '--confab-button-radius',
      label: 'Round buttons',
      from: 0,
      to: 2,
      step: 0.05,
      unit: 'em',
      value: 0.5,
    },
    {
      name: '--confab-dialog-radius',
      label: 'Round dialogs',
      from: 0,
      to: 2,
      step: 0.05,
      unit: 'em',
      value: 1,
    },
    {
      name: '--confab-tool-size',
      label: 'Size of tools',
      from: 1.5,
      to: 3.5,
      step: 0.25,
      unit: 'em',
      value: 2.25,
    },
    {
      name: '--confab-avatar-size',
      label: 'Size of pictures',
      from: 1.25,
      to: 4,
      step: 0.25,
      unit: 'em',
      value: 2.5,
    },
    {
      name: '--confab-avatar-radius',
      label: 'Round pictures',
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
    { name: '--confab-indent', label: 'Before answers', from: 0, to: 3, step: 0.05, unit: 'em', value: 1.25 },
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
      label: 'Weight of names',
      from: 300,
      to: 900,
      step: 50,
      unit: '',
      value: 650,
    },
    {
      name: '--confab-small-size',
      label: 'Small type',
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

function knob({ name, label, from, to, step, unit, value }) {
  const isColour = unit === undefined;
  const shown = make('output', { textContent: isColour ? '' : `${value}${unit}` });
  const input = make(
    'input',
    isColour ? { type: 'color', value: '#767676' } : { type: 'range', min: from, max: to, step, value },
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
