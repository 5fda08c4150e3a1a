/**
 * Puts comments into a page of any site:
 *
 *   <wy-comments></wy-comments>
 *   <script src="https://confab.example.com/embed.js" data-token-url="/confab-token" defer></script>
 *
 * `data-token-url` is an address of the site. It returns `{"access_token": "…"}` for the visitor who is signed in, and is
 * asked with `refresh=true` when the server has refused a token. A `<wy-comments>` without a uid gets that of the page.
 */
(() => {
  // `<img name="currentScript">` in a text of the page would be `document.currentScript`, and name another server.
  const { get: currentScript } = Object.getOwnPropertyDescriptor(Document.prototype, 'currentScript');
  const script = currentScript.call(document);
  const fail = (text) => console.error(`Confab: ${text}`);
  if (script === null) return fail('embed.js is a classic script: load it without type="module".');
  const server = new URL('.', script.src).href;
  const kit = new URL('uikit-web/__KIT__weavy.esm.js', server).href;
  const tokenUrl = script.dataset.tokenUrl;
  const components = [
    ...['comments', 'posts', 'feed', 'post-editor', 'files', 'chat', 'copilot', 'notifications'],
    ...['messenger', 'messenger-badge', 'messenger-button', 'messenger-conversations', 'messenger-new'],
    ...['notification-badge', 'notification-button', 'notification-toasts'],
  ]
    .map((name) => `wy-${name}`)
    .join();
  const pageUid = __PAGE_UID__;
  /** The most seconds between two tokens of which the first was hardly refused for its age. */
  const youngSeconds = 60;
  let isStarted = false;
  let issuedAt = Number.NEGATIVE_INFINITY;

  /** Gives the components of the page their uids, and loads the kit with the first of them. */
  function look() {
    const found = document.querySelectorAll(components);
    for (const element of found) {
      if (element.localName !== 'wy-comments' || (element.uid ?? element.getAttribute('uid'))) continue;
      const canonical = document.querySelector('link[rel~="canonical" i]')?.href;
      const uid = pageUid(canonical || location.href);
      if (uid === undefined)
        fail(`${canonical || location.href} is no web address: give <wy-comments> a uid.`);
      else element.setAttribute('uid', uid);
    }
    if (found.length === 0) return;
    if (!isStarted) void start();
    matchPage();
  }

  async function start() {
    isStarted = true;
    if (!tokenUrl)
      return fail(
        'data-token-url is missing: an address of your site that returns {"access_token": "…"} for the visitor.',
      );
    void checkServer();
    try {
      const { Weavy } = await import(kit);
      const sheets = [...document.adoptedStyleSheets];
      new Weavy({ url: server, tokenFactory: token });
      // The kit replaces the style sheets that a page has adopted.
      document.adoptedStyleSheets = [...sheets, ...document.adoptedStyleSheets];
    } catch (error) {
      fail(`${kit} did not load. ${await reasonOf(kit)} (${error.message})`);
    }
  }

  /** Why a file did not load, as its server explains it. */
  async function reasonOf(address) {
    try {
      const response = await fetch(address);
      if (response.ok)
        return `The content security policy of the page must have script-src ${origin(server)}.`;
      return (await response.json()).detail;
    } catch {
      return `The server does not respond, or the content security policy of the page forbids it: it must have script-src and connect-src ${origin(server)}.`;
    }
  }

  async function checkServer() {
    try {
      await fetch(new URL('version', server));
    } catch {
      const policy = `the content security policy of the page must have connect-src ${origin(server)}`;
      fail(
        `${server} cannot be called from this page. Its setting CONFAB_CORS_ORIGINS must include ${location.origin}, and ${policy}.`,
      );
    }
  }

  /** A token from the site, for the kit. Throws an Error that explains what to change. */
  async function token(isRefused) {
    const address = new URL(tokenUrl, document.baseURI);
    if (isRefused) address.searchParams.set('refresh', 'true');
    if (isRefused && performance.now() - issuedAt < youngSeconds * 1000)
      fail(
        `${server} refuses the tokens of ${tokenUrl}. They must be access tokens of this server, for a user who is neither suspended nor in the trash and may open this page.`,
      );
    const { response, body } = await answerOf(address);
    const text = body?.access_token;
    if (!response.ok || typeof text !== 'string')
      throw refused(
        [204, 401, 403].includes(response.status)
          ? `returned ${response.status}: no visitor is signed in. Show the components to signed-in visitors alone.`
          : `returned ${response.status} and no {"access_token": "…"}.`,
      );
    if (text.startsWith('wys_'))
      throw refused(
        'returned an API key, which must never reach a browser. Return an access token of a user.',
      );
    issuedAt = performance.now();
    // The kit takes no other tokens; the server ignores these letters before a token of an identity provider.
    return text.startsWith('wyu_') ? text : `wyu_${text}`;
  }

  async function answerOf(address) {
    try {
      const response = await fetch(address, { credentials: 'include', cache: 'no-store' });
      return { response, body: await response.json().catch(() => undefined) };
    } catch (cause) {
      throw refused(
        `cannot be reached. It must allow ${location.origin} with credentials (CORS) if it is of another origin, and connect-src of the page's content security policy must include it.`,
        cause,
      );
    }
  }

  /** The kit writes it to the console. */
  function refused(words, cause) {
    return new Error(`Confab: the token address ${new URL(tokenUrl, document.baseURI).href} ${words}`, {
      cause,
    });
  }

  function origin(address) {
    return new URL(address).origin;
  }

  /** Shows the components light or dark, as the text around them is: light text is on a dark page. */
  function matchPage() {
    const first = document.querySelector(components)?.parentElement;
    if (!first) return;
    const isDark = lightness(getComputedStyle(first).color) > 0.5;
    for (const element of [document.documentElement, ...document.querySelectorAll(components)]) {
      element.classList.toggle('wy-dark', isDark);
      element.classList.toggle('wy-light', !isDark);
    }
  }

  /** How light a computed color is, from 0 to 1. */
  function lightness(color) {
    const [a = 0, b = 0, c = 0] = color
      .split(/[\s,()/]+/)
      .map(Number.parseFloat)
      .filter((part) => part >= 0);
    if (color.startsWith('ok')) return a;
    if (color.startsWith('l')) return a / 100;
    return (0.3 * a + 0.6 * b + 0.1 * c) / (color.startsWith('rgb') ? 255 : 1);
  }

  function watch() {
    look();
    new MutationObserver(look).observe(document.documentElement, { childList: true, subtree: true });
    const theme = new MutationObserver(matchPage);
    for (const element of [document.documentElement, document.body])
      theme.observe(element, { attributeFilter: ['class', 'style', 'data-theme'] });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', matchPage);
    document.addEventListener('transitionend', ({ propertyName }) => propertyName === 'color' && matchPage());
  }

  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', watch);
  else watch();
})();
