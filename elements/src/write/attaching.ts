import type { TemplateResult } from '../shared.ts';
import type { Composer, Files } from './composed.ts';
import type { pictures } from './pictures.ts';
import { writingOf } from './writing.ts';

/** What visitors can add. */
const pictureTypes = 'image/png,image/jpeg,image/gif,image/webp';

/** Creates what adds files to a composer. The part that uploads them is loaded with the first. */
export function createAttaching(composer: Composer) {
  let uploads: ReturnType<typeof pictures> | undefined;

  const isAllowed = () => writingOf(composer.host).hasFeature('attachments');

  async function upload(files: readonly File[]): Promise<void> {
    try {
      const part = await import('./pictures.ts');
      uploads ??= part.pictures(composer, writingOf(composer.host));
      uploads.take(files);
    } catch {
      composer.problem = composer.host.t('away');
    }
  }

  return {
    isAllowed,

    /** Takes what is pasted or dropped, where it is files. */
    take(event: Event, data: DataTransfer | null): void {
      const files = [...(data?.files ?? [])];
      if (files.length === 0 || !isAllowed()) return;
      event.preventDefault();
      void upload(files);
    },

    /** Lets somebody choose files. */
    choose(): void {
      const input = document.createElement('input');
      input.type = 'file';
      input.multiple = true;
      if (composer.host.server.session.user?.way !== undefined) input.accept = pictureTypes;
      input.onchange = () => void upload([...(input.files ?? [])]);
      input.click();
    },

    /** The ids of the files; undefined while one is on its way or has failed. */
    blobs: (): readonly number[] | undefined => (uploads === undefined ? [] : uploads.blobs()),

    draw: (files: Files): TemplateResult | undefined => uploads?.draw(files),
  };
}
