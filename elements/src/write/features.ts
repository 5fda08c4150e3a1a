import type { CommentsHost } from '../shared.ts';
import type { Composer } from './composed.ts';

/** What somebody who is signed in may use in an element; nothing until it is learned. */
export function createFeatures(host: CommentsHost) {
  let features: { readonly userId: number; readonly names: readonly string[] } | undefined;

  const user = () => host.server.session.user;

  async function ofUser(): Promise<readonly string[]> {
    const answer = await host.server.api.call<string[]>('/api/features/comments');
    return answer.ok ? answer.body : [];
  }

  /** Visitors mention nobody, and upload pictures where they may. */
  async function ofVisitor(): Promise<readonly string[]> {
    const answer = await host.server.api.call<{ comment_pictures: string }>('/api/sign-in');
    const which = answer.ok ? answer.body.comment_pictures : 'none';
    const isAmong = which === 'all' || (which === 'confirmed' && user()?.way !== 'guest');
    return isAmong ? ['attachments'] : [];
  }

  return {
    /** Learns it, once for each person. */
    async learn(): Promise<void> {
      const { id, way } = user() ?? {};
      if (id === undefined || features?.userId === id) return;
      features = { userId: id, names: [] };
      const names = await (way === undefined ? ofUser() : ofVisitor());
      if (user()?.id !== id) return;
      features = { userId: id, names };
      for (const each of composersOf(host)) void each.redraw();
    },

    hasFeature: (name: string) => features?.userId === user()?.id && features?.names.includes(name) === true,
  };
}

/** The fields that an element shows. */
export const composersOf = (host: CommentsHost): Iterable<Composer> =>
  host.shadowRoot?.querySelectorAll<Composer>('confab-composer') ?? [];
