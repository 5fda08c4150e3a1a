import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Embeds } from './embeds.ts';

/** Binds the operations of embeds. */
export function bindEmbeds(http: Http, embeds: Embeds): void {
  http.bind(operations.createEmbed, ({ principal, body }) => embeds.createEmbed(principal, body));
  http.bind(operations.getEmbed, ({ principal, params }) => embeds.getEmbed(principal, params.id));
}
