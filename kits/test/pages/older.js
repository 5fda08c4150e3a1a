/** A product that bundles version 20 of the kit. */
import { Weavy } from 'weavy-uikit-web-20';

new Weavy({ url: document.documentElement.dataset.confab, tokenUrl: '/token' });
