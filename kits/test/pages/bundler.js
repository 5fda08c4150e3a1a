/** A product that bundles the kit. */
import { Weavy } from '@weavy/uikit-web';

new Weavy({ url: document.documentElement.dataset.confab, tokenUrl: '/token' });
