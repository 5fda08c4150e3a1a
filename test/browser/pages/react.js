/** A product that brings the kit in with React. */
import { useWeavy } from '@weavy/uikit-react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

function App() {
  useWeavy({ url: document.documentElement.dataset.confab, tokenUrl: '/token' });
  return createElement('wy-comments', { uid: 'react' });
}

createRoot(document.querySelector('main')).render(createElement(App));
