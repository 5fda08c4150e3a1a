import {
  avatar,
  type CommentsHost,
  define,
  type Failure,
  html,
  nothing,
  type SignedInUser,
  type TemplateResult,
} from '../shared.ts';
import { focusField, nameField } from '../sign-in/fields.ts';
import { PartElement } from './part.ts';
import { pictureOf } from './picture.ts';

/** Changes what others see of the visitor. Resolves to what is said about it, or to why it has not worked. */
async function change(
  { server, t }: CommentsHost,
  body: { readonly name?: string; readonly picture?: string | null },
): Promise<string | Failure> {
  const answer = await server.api.call<SignedInUser>('/api/user', { method: 'PATCH', body });
  if (!answer.ok) return answer;
  const kept = server.session.kept();
  const { id, display_name, avatar_url, way = server.session.user?.way } = answer.body;
  const user = {
    id,
    display_name,
    ...(avatar_url === undefined ? {} : { avatar_url }),
    ...(way === undefined ? {} : { way }),
  };
  if (kept?.user.id === id) server.session.keep({ ...kept, user });
  return t('saved');
}

/** `<confab-person-name>`: the name of a visitor. */
class ConfabPersonName extends PartElement {
  static override properties = ['host', 'user', 'isBusy', 'message'];

  declare user: SignedInUser;

  protected override draw(): TemplateResult {
    const { t } = this.host;
    const problem = this.message?.isProblem ? this.message.text : undefined;
    return html`<form @submit=${this.#rename} novalidate>
      ${nameField({
        label: t('yourName'),
        hint: t('nameHint'),
        problem,
        isBusy: this.isBusy === true,
        value: this.user.display_name,
      })}
      <button part="button" aria-disabled=${this.isBusy === true}>${t('save')}</button>
      ${problem === undefined ? this.drawMessage() : nothing}
    </form>`;
  }

  #rename = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { host } = this;
    const name = String(new FormData(event.target as HTMLFormElement).get('name')).trim();
    if (name === '') this.say(host.t('nameMissing'), true);
    else await this.do(() => change(host, { name }), 'name');
    if (this.message?.isProblem) await focusField(this, 'name');
  };
}

/** `<confab-person-picture>`: the picture of a visitor. */
class ConfabPersonPicture extends PartElement {
  static override properties = ['host', 'user', 'isBusy', 'message'];

  declare user: SignedInUser;

  protected override draw(): TemplateResult {
    const { t } = this.host;
    const { avatar_url: url } = this.user;
    return html`<div class="picture">
        ${avatar(this.user)}
        <label class="file" part="button">
          <span>${t('choosePicture')}</span>
          <input class="hidden" type="file" name="picture" accept="image/*" @change=${this.#choose} />
        </label>
        ${
          url === undefined
            ? nothing
            : html`<button type="button" class="plain" part="button" @click=${() => this.#set(null)}>
              ${t('removePicture')}
            </button>`
        }
      </div>
      ${this.drawMessage()}`;
  }

  #choose = async (event: Event): Promise<void> => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = '';
    if (file === undefined) return;
    const picture = await pictureOf(file).catch(() => undefined);
    if (picture !== undefined) await this.#set(picture);
    else this.say(this.host.t('pictureInvalid'), true);
  };

  async #set(picture: string | null): Promise<void> {
    await this.do(() => change(this.host, { picture }), 'picture');
    if (picture === null) await focusField(this, 'picture');
  }
}

define('confab-person-name', ConfabPersonName);
define('confab-person-picture', ConfabPersonPicture);
