/**
 * The script of the pages: search (`/` focuses it), buttons that copy code, and forms that try operations. A credential
 * that is entered to try an operation stays in the memory of the page.
 */

const answerCharactersMax = 100_000;
const patienceMs = 15_000;
const questionLengthMax = 200;
const unreachable = 'The search cannot be reached. Try again in a moment.';

function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Fetches JSON once, when it is first needed. */
function once(path) {
  let promise;
  return () => {
    promise ??= fetch(path).then((response) => response.json());
    return promise;
  };
}

/** A result of the search: its heading, its page, and an excerpt, of which every second part matched. */
function searchResult({ title, page, href, excerpt }) {
  const place = make('span', { className: 'soft', textContent: page === title ? '' : page });
  const parts = excerpt.map((part, at) => (at % 2 === 0 ? part : make('mark', { textContent: part })));
  const text = make('span', { className: 'excerpt' }, ...parts);
  return make('li', {}, make('a', { href }, make('span', { className: 'title' }, title), ' ', place, text));
}

/** What stands above the results: how many there are, or what to do where there are none. */
function searchStatus(question, { count, results }) {
  if (count > results.length) return [`${count} results, the best ${results.length} of them:`];
  if (count > 0) return [count === 1 ? '1 result' : `${count} results`];
  const all = make('a', { href: '/docs', textContent: 'see all guides' });
  return [`Nothing found for “${question}”. Try fewer or other words, or `, all, '.'];
}

function addSearch() {
  const input = make('input', {
    type: 'search',
    placeholder: 'Search ( / )',
    autocomplete: 'off',
    maxLength: questionLengthMax,
  });
  input.setAttribute('aria-label', 'Search the documentation');
  const status = make('p', { className: 'status' });
  status.setAttribute('role', 'status');
  const list = make('ul');
  const panel = make('div', { className: 'found' }, status, list);
  const search = make('search', {}, input, panel);
  document.querySelector('header.site').append(search);
  const links = () => [...panel.querySelectorAll('a')];
  const close = () => search.classList.remove('open');

  const ask = createAsking((question, found) => {
    status.replaceChildren(...(found === undefined ? [unreachable] : searchStatus(question, found)));
    list.replaceChildren(...(found?.results ?? []).map(searchResult));
    panel.scrollTop = 0;
    search.classList.add('open');
  });
  const answered = async () => {
    const question = input.value.trim();
    if (question !== '') return ask(question);
    close();
    status.replaceChildren();
    list.replaceChildren();
  };
  input.addEventListener('input', answered);
  input.addEventListener('focus', () => {
    if (list.childElementCount > 0) search.classList.add('open');
  });
  search.addEventListener('keydown', async (event) => {
    const at = links().indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && document.activeElement === input) {
      await answered();
      list.querySelector('a')?.click();
      return;
    }
    if (event.key === 'Escape') {
      input.focus();
      close();
    } else if (step !== undefined) (links()[at + step] ?? (step < 0 ? input : links()[at]))?.focus();
    else return;
    event.preventDefault();
  });
  search.addEventListener('focusout', ({ relatedTarget }) => {
    if (!search.contains(relatedTarget)) close();
  });
  panel.addEventListener('click', ({ target }) => {
    if (target.closest('a') !== null) close();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea, select') !== null;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

/**
 * Asks the server, one question at a time: what is typed meanwhile waits, and of it the newest question is asked next.
 * Resolves when the newest question is shown; `show` gets nothing where the server cannot be reached.
 */
function createAsking(show) {
  let newest;
  let shown;
  let running;
  async function run() {
    while (newest !== shown) {
      const question = newest;
      const found = await fetch(`/docs/search.json?${new URLSearchParams({ q: question })}`, {
        signal: AbortSignal.timeout(patienceMs),
      })
        .then((response) => (response.ok ? response.json() : undefined))
        .catch(() => undefined);
      shown = question;
      if (question === newest) show(question, found);
    }
    running = undefined;
  }
  return (question) => {
    newest = question;
    running ??= run();
    return running;
  };
}

function addCopyButtons() {
  // Browsers offer the clipboard to https and to this machine alone.
  if (navigator.clipboard === undefined) return;
  for (const block of document.querySelectorAll('.code')) {
    const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' });
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
    });
    button.addEventListener('blur', () => {
      button.textContent = 'Copy';
    });
    block.append(button);
  }
}

const openApi = once('/openapi.json');
let credential = '';

function addTryButtons() {
  for (const call of document.querySelectorAll('p.call')) {
    const button = make('button', { type: 'button', textContent: 'Try it' });
    call.append(button);
    button.addEventListener('click', async () => {
      button.disabled = true;
      call.after(tryForm(await operationOf(call.previousElementSibling.id)));
    });
  }
}

/** An operation of the OpenAPI document with its method, path and parameters. */
async function operationOf(id) {
  const { paths, components } = await openApi();
  for (const [path, { parameters: shared = [], ...methods }] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId === id) {
        const parameters = [...shared, ...(operation.parameters ?? [])]
          .map((each) =>
            each.$ref === undefined ? each : components.parameters[each.$ref.split('/').at(-1)],
          )
          .filter((each) => each.in !== 'header');
        return { method: method.toUpperCase(), path, parameters, content: operation.requestBody?.content };
      }
  throw new Error(`the OpenAPI document has no operation ${id}`);
}

function field(label, control) {
  return make('label', {}, make('span', { textContent: label }), control);
}

function tryForm({ method, path, parameters, content = {} }) {
  const [[type, media] = []] = Object.entries(content);
  if (type === 'multipart/form-data')
    return make('p', {
      className: 'soft',
      textContent: 'Uploads cannot be tried here: use the request below.',
    });
  const key = make('input', { type: 'password', autocomplete: 'off', value: credential });
  const inputs = parameters.map((parameter) => {
    const input = make('input', { required: parameter.in === 'path', autocomplete: 'off' });
    return { ...parameter, input };
  });
  const body = type && make('textarea', { rows: 6, spellcheck: false });
  if (body) body.value = media.example === undefined ? '' : JSON.stringify(media.example, null, 2);
  const result = make('div', { className: 'result' });
  result.setAttribute('aria-live', 'polite');
  const form = make(
    'form',
    { className: 'try' },
    field('API key or access token', key),
    ...inputs.map(({ name, input }) => field(name, input)),
    ...(body ? [field('Body', body)] : []),
    make('button', { textContent: `Send ${method}` }),
    method === 'GET'
      ? ''
      : make('span', { className: 'soft', textContent: ' This changes the data of this server.' }),
    result,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    credential = key.value.trim();
    const address = addressOf(path, inputs);
    const headers = {
      ...(credential === '' ? {} : { authorization: `Bearer ${credential}` }),
      ...(body ? { 'content-type': type } : {}),
    };
    result.replaceChildren(await answerTo(address, { method, headers, body: body?.value }));
  });
  return form;
}

function addressOf(path, inputs) {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place, input } of inputs)
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(input.value));
    else if (input.value !== '') query.set(name, input.value);
  return query.size === 0 ? filled : `${filled}?${query}`;
}

/** The status and the body of a response, as text. */
async function answerTo(address, options) {
  try {
    const response = await fetch(address, { ...options, signal: AbortSignal.timeout(patienceMs) });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const shown = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text;
    const pre = make('pre', { tabIndex: 0, textContent: shown.slice(0, answerCharactersMax) });
    return make('div', {}, make('p', { textContent: `${response.status} ${response.statusText}` }), pre);
  } catch (error) {
    const words =
      error.name === 'TimeoutError' ? `no complete answer within ${patienceMs / 1000} s` : error.message;
    return make('p', { textContent: `The request failed: ${words}` });
  }
}

/** The reference once was a single page, so addresses such as `/docs#createApp` are known. */
function followOldAnchor() {
  if (location.pathname !== '/docs' || location.hash === '') return;
  const link = document.querySelector(`.groups li[id="${CSS.escape(location.hash.slice(1))}"] > a`);
  if (link !== null) location.replace(link.href);
}

/** On a narrow screen the contents begin closed; a click opens them. */
function foldContents() {
  if (!matchMedia('(width <= 60rem)').matches) return;
  for (const contents of document.querySelectorAll('details.contents')) contents.open = false;
}

foldContents();
followOldAnchor();
addSearch();
addCopyButtons();
addTryButtons();
