#!/usr/bin/env bash
# React 19 assigns a prop to a custom element wherever the element has a property of that name, also one with a getter alone.
# The same component works where the element's script runs after React has drawn it, and then React sets an attribute.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node@24.21.0 react@19.3.1 react-dom@19.3.1 jsdom@31.0.1

cat > try.mjs <<'E'
import { JSDOM } from 'jsdom';

const { window } = new JSDOM('<main></main>');
Object.assign(globalThis, { window, document: window.document, HTMLElement: window.HTMLElement, IS_REACT_ACT_ENVIRONMENT: true });
const { act, createElement } = await import('react');
const { createRoot } = await import('react-dom/client');

class Card extends HTMLElement {
  get server() {
    return this.getAttribute('server');
  }
}
async function draw(when) {
  const place = document.body.appendChild(document.createElement('main'));
  try {
    await act(() => createRoot(place).render(createElement('some-card', { server: 'https://example.com' })));
    console.log(`${when}: ${place.innerHTML}`);
  } catch (error) {
    console.log(`${when}: ${error.name}: ${error.message}`);
  }
}
await draw('before the element is defined');
window.customElements.define('some-card', Card);
await draw('after it is defined');
E
npx node try.mjs 2>errors | tee seen
diff seen - <<'E'
before the element is defined: <some-card server="https://example.com"></some-card>
after it is defined: TypeError: Cannot set property server of #<Card> which has only a getter
E
