/** A product that uses React with version 32 of the kit. */
import { createRoot } from 'react-dom/client';
import { useWeavy, WyComments } from 'weavy-uikit-react-32';

function Comments() {
  useWeavy({ url: document.documentElement.dataset.confab, tokenUrl: '/token' });
  return <WyComments uid="react" />;
}

createRoot(document.querySelector('main')).render(<Comments />);
