'use client';
// Made by `npm run generate` from the table of the elements.

import { component } from './component.js';

/** The comments of a page. */
export const ConfabComments = component('confab-comments', {
  attributes: { tokenUrl: 'token-url' },
  properties: ['texts', 'getToken'],
  events: { onSignIn: 'confab-sign-in' },
});

/** How many comments a page has. All on a page ask with one request. */
export const ConfabCount = component('confab-count', {
  attributes: { tokenUrl: 'token-url' },
  properties: ['texts', 'getToken'],
  events: {},
});

/** A bell with the number of unread notifications and the list of them, for the users of a product. Visitors, and people who are not signed in, see nothing. */
export const ConfabNotifications = component('confab-notifications', {
  attributes: { tokenUrl: 'token-url' },
  properties: ['texts', 'getToken'],
  events: { onOpen: 'confab-open' },
});

/** The reactions to one comment or post that a page shows as its own content, such as an announcement. */
export const ConfabReactions = component('confab-reactions', {
  attributes: { tokenUrl: 'token-url' },
  properties: ['texts', 'getToken'],
  events: {},
});
