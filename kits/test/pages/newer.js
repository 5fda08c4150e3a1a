/** A product that bundles version 32 of the kit. */
import { Weavy } from 'weavy-uikit-web-32';

new Weavy({ url: document.documentElement.dataset.confab, tokenUrl: '/token' });
