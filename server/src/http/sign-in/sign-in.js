/**
 * The script of the pages of signing in. What the server says comes as attributes of `main`; secrets come in the fragment
 * of the address, which is removed at once.
 */

const main = document.querySelector('main');
const { step, origin, challenge, code } = main.dataset;
const returnTo = main.dataset.return;
const secret = location.hash.slice(1);
if (secret !== '') history.replaceState(null, '', location.pathname + location.search);

/**
 * The pages that have begun in this browser, the newest first: the origin from which the browser says that a form came, and
 * the challenge of which its page has the verifier.
 */
const begunName = 'confab-begun';
const begunMax = 8;

function readBegun() {
  try {
    return JSON.parse(localStorage.getItem(begunName) ?? '[]');
  } catch {
    // Storage is blocked.
    return [];
  }
}

/** Returns whether it is kept. Where it is not, nothing goes back by its address. */
function keepBegun(pages) {
  try {
    localStorage.setItem(begunName, JSON.stringify(pages.slice(0, begunMax)));
    return true;
  } catch {
    return false;
  }
}

const hasBegun = (asked) =>
  readBegun().some((page) => page.challenge === asked.challenge && page.origin === asked.origin);

const part = (selector) => main.querySelector(selector);
const problem = part('.problem');

/** Calls the server; returns the body of the answer, or undefined for none. Throws an Error with words to show. */
async function call(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const answer = text === '' ? undefined : JSON.parse(text);
  if (response.ok) return answer;
  if (response.status === 429) throw new Error('Too many attempts. Try again in a few minutes.');
  if (answer?.code === 'sign_in_ended')
    throw new Error('This code is wrong, or it has been used or is older than 15 minutes.');
  throw new Error(answer?.errors?.[0]?.message ?? answer?.detail ?? 'Something went wrong.');
}

/**
 * Gives a page of the origin its code: to the one that opened this window, or by going back to it. An address can lead to
 * another site in the end, so a code goes back only to whoever began here, without whose verifier it is of no use.
 */
function finish(given, to) {
  if (window.opener !== null && step !== 'link') {
    window.opener.postMessage({ type: 'confab-sign-in', code: given }, to.origin);
    window.close();
  } else if (to.return_to !== undefined && hasBegun(to))
    location.replace(`${to.return_to}#confab-code=${given}`);
  else {
    const site = Object.assign(document.createElement('a'), {
      href: to.origin,
      textContent: new URL(to.origin).host,
    });
    part('[role]').replaceChildren(
      'You are not signed in: no page of ',
      site,
      ' has opened this window. Go there and begin again.',
    );
  }
}

/** Does something when a form is sent, once at a time, and shows what is wrong. */
function onSend(form, act) {
  const button = form.querySelector('button');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.textContent = '';
    button.disabled = true;
    try {
      await act(new FormData(form));
    } catch (error) {
      problem.textContent = error.message;
    } finally {
      button.disabled = false;
    }
  });
}

/** Confirms a mailbox, and asks a new visitor for a name first. */
async function confirm(path, body, form, data) {
  const field = form.querySelector('.name');
  const name = data.get('name')?.trim();
  const confirmed = await call(path, field.hidden || !name ? body : { ...body, name });
  if (confirmed.needs_name) {
    field.hidden = false;
    const input = field.querySelector('input');
    input.required = true;
    input.focus();
    return;
  }
  finish(confirmed.code, { ...confirmed, challenge: body.challenge ?? challenge });
}

if (main.dataset.begun !== undefined) keepBegun([{ origin, challenge }, ...readBegun()]);

if (step === 'code') finish(code, { origin, challenge, return_to: returnTo });

if (step === 'window' && main.dataset.next !== undefined) location.replace(main.dataset.next);
else if (step === 'window') {
  const [email, codes] = [part('form.email'), part('form.code')];
  let ticket;
  if (email !== null) {
    onSend(email, async (data) => {
      // Without an address the mail has no link: it would lead back to a page that has not begun.
      const back = hasBegun({ origin, challenge }) ? returnTo : undefined;
      const asked = { email: data.get('email'), origin, challenge, return_to: back };
      ({ ticket } = await call('/api/sign-in/email', asked));
      email.hidden = true;
      codes.hidden = false;
      codes.querySelector('input').focus();
    });
    onSend(codes, (data) =>
      confirm('/api/sign-in/email/code', { ticket, code: data.get('code') }, codes, data),
    );
  }
}

if (step === 'link') {
  const form = part('form.link');
  const [mailed, asked] = secret.split('.');
  if (readBegun().some((page) => page.challenge === asked))
    onSend(form, (data) =>
      confirm('/api/sign-in/email/link', { secret: mailed, challenge: asked }, form, data),
    );
  else {
    form.hidden = true;
    problem.textContent =
      'This is not the browser in which you began. Open the link there, or type the code from the email into the window that asks for it.';
  }
}

if (step === 'refuse') {
  const form = part('form.refuse');
  onSend(form, async () => {
    await call('/api/sign-in/email/refusal', { secret });
    form.replaceWith('No more of these emails are sent to you for a week.');
  });
}
