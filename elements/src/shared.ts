/**
 * What the parts that are loaded later use of the entry. They import it from this module alone: the build makes that an
 * import of `elements.js`, so that nothing is loaded twice. It refuses a part that imports a module of the entry by itself.
 */

export { html, nothing, type TemplateResult } from 'lit/html.js';
export type { Api, Failure, FieldError, Reply } from './api.ts';
export { BaseElement, define } from './base.ts';
export { createApi } from './calls.ts';
export { avatar } from './comments/avatar.ts';
export { ConfabComments } from './comments/comments.ts';
export { act } from './comments/frame.ts';
export type { CommentsHost, Extension, Intent } from './comments/host.ts';
export { intend } from './comments/intent.ts';
export { serverHtml } from './comments/server-html.ts';
export { relativeTime, wholeTime } from './comments/time.ts';
export type { Kept, Server, Session, SignedInUser, TokenSource } from './connection.ts';
export { watchStream } from './live.ts';
export { appOfPage, pageUid } from './page.ts';
export { serverAt } from './server.ts';
export { sheetOf } from './style/style.ts';
export { createSpeaker, type Speaker } from './texts/speaker.ts';
export { addEnglish, type Texts, type Translate } from './texts/texts.ts';
export type { Author, Comment } from './thread/comment.ts';
export type { Reading } from './thread/reading.ts';
export type { Thread } from './thread/thread.ts';
export { trusted, trustServer } from './trust.ts';
