import { html, sheetOf, type TemplateResult } from '../shared.ts';
import type { Composer, Files, Upload } from './composed.ts';
import style from './pictures.css';
import type { Writing } from './writing.ts';

/** Files for a comment with their progress: loaded with the first, because few comments have any. */

/** As many as a comment may have. */
const filesMax = 100;

const sheet = sheetOf(style);

/** What a composer does with files. */
export function pictures(composer: Composer, { adopt }: Writing) {
  adopt(sheet);

  function change(file: File, to: Partial<Upload>): void {
    composer.files = (composer.files ?? []).map((each) => (each.file === file ? { ...each, ...to } : each));
  }

  function remove(file: File): void {
    const rest = (composer.files ?? []).filter((each) => each.file !== file);
    composer.files = rest.length === 0 ? undefined : rest;
    composer.field.focus();
  }

  async function upload(file: File): Promise<void> {
    const { host } = composer;
    const { server, t } = host;
    const request = new XMLHttpRequest();
    const cancel = () => {
      request.abort();
      remove(file);
    };
    composer.files = [
      ...(composer.files ?? []),
      { file, progress: 0, blob: undefined, problem: undefined, cancel },
    ];
    composer.open();
    const token = await server.session.token();
    // Only this kind of request says how much of a file has been sent.
    request.open('POST', `${server.url}api/blobs`);
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => change(file, { progress: loaded / (total || 1) });
    request.onerror = () => change(file, { problem: t('away') });
    request.onload = () => {
      const { id, detail } = request.response ?? {};
      if (request.status === 201) host.announce(t('uploaded', { name: file.name }));
      change(file, request.status === 201 ? { blob: id, progress: 1 } : { problem: detail ?? t('away') });
    };
    const form = new FormData();
    form.set('blob', file);
    request.send(form);
  }

  return {
    /** Uploads files that were pasted, dropped or chosen. */
    take(files: readonly File[]): void {
      for (const file of files.slice(0, filesMax - (composer.files?.length ?? 0))) void upload(file);
    },

    /** The ids of the files; undefined while one is on its way or has failed. */
    blobs(): readonly number[] | undefined {
      const ids = (composer.files ?? []).map(({ blob }) => blob).filter((id) => id !== undefined);
      return ids.length === (composer.files?.length ?? 0) ? ids : undefined;
    },

    draw(files: Files): TemplateResult {
      const { t } = composer.host;
      return html`<ul class="files" part="attachments" role="list" aria-label=${t('attachments')}>
        ${files.map(({ file, progress, blob, problem, cancel }) => {
          const { name } = file;
          return html`<li>
            <span dir="auto">${name}</span>
            ${
              problem !== undefined
                ? html`<span role="alert">${problem}</span>`
                : blob === undefined
                  ? html`<progress aria-label=${t('uploadOf', { name })} max="1" .value=${progress}></progress>`
                  : ''
            }
            <button type="button" part="button" aria-label=${t('removeFile', { name })} @click=${cancel}>×</button>
          </li>`;
        })}
      </ul>`;
    },
  };
}
