import type { Clearable, UserDetail, UserPatch } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Choice } from '../../components/Choice.tsx';
import { Dialog, FormEnd } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { submitting } from '../../components/submitting.ts';
import { toast } from '../../components/Toasts.tsx';
import { type Action, useAction } from '../../data.ts';
import { navigate } from '../../router.ts';
import { t } from './messages.ts';

type Props = { readonly user: UserDetail; readonly onChanged: () => void; readonly onClose: () => void };

/** The fields that are one line of text. */
const lines = [
  'name',
  'given_name',
  'middle_name',
  'family_name',
  'nickname',
  'email',
  'phone_number',
  'directory',
  'tags',
] as const;

type Values = { readonly [name: string]: string };

/** The profile as the form shows it. */
function valuesOf(user: UserDetail): Values {
  return {
    uid: user.uid,
    name: user.name ?? '',
    given_name: user.given_name ?? '',
    middle_name: user.middle_name ?? '',
    family_name: user.family_name ?? '',
    nickname: user.nickname ?? '',
    email: user.email ?? '',
    phone_number: user.phone_number ?? '',
    directory: user.directory?.name ?? '',
    tags: (user.tags ?? []).join(', '),
    comment: user.comment ?? '',
    role: user.role ?? '',
    is_bot: user.is_bot ? 'on' : '',
  };
}

/** What a request says about the fields of `names`: an empty text clears one. */
function patchOf(values: Values, names: readonly string[]): Clearable<UserPatch> {
  const patch: { [name: string]: unknown } = {};
  for (const name of names) {
    const value = values[name] ?? '';
    if (name === 'is_bot') patch[name] = value === 'on';
    else if (name === 'tags')
      patch[name] = value
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== '');
    else patch[name] = value === '' ? null : value;
  }
  return patch;
}

/** Edits a profile. Only what was changed is sent, and only while nobody else has changed the user. */
export function ProfileForm({ user: latest, onChanged, onClose }: Props) {
  // As it was when the form was opened, so that a change of somebody else is not overwritten unseen.
  const [user] = useState(latest);
  const before = valuesOf(user);
  const action = useAction(async (form: FormData) => {
    const after = Object.fromEntries(Object.keys(before).map((name) => [name, String(form.get(name) ?? '')]));
    const changed = Object.keys(before).filter((name) => before[name] !== after[name]);
    if (changed.length === 0) return;
    const { id, uid } = await client.updateUser(user.id, patchOf(after, changed), { ifMatch: user });
    if (uid !== user.uid) navigate(`/people/${encodeURIComponent(uid)}`, { isReplaced: true });
    else onChanged();
    toast(t('saved'), {
      undo: async () => {
        await client.updateUser(id, patchOf(before, changed));
        if (uid !== user.uid) navigate(`/people/${encodeURIComponent(user.uid)}`, { isReplaced: true });
        else onChanged();
      },
    });
  });
  const submit = submitting(async (form) => {
    if (await action.run(form)) onClose();
  });
  return (
    <Dialog title={t('editName', { name: user.display_name })} onClose={onClose}>
      <form onSubmit={submit}>
        <Fields before={before} errorOf={action.errorOf} />
        <FormEnd action={action} button={t('save')} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

type FieldsProps = { readonly before: Values; readonly errorOf: Action<[]>['errorOf'] };

function Fields({ before, errorOf }: FieldsProps) {
  return (
    <>
      <div class="columns">
        {lines.map((name) => (
          <Field
            key={name}
            label={t(`field_${name}`)}
            hint={name === 'tags' ? t('tagsHint') : undefined}
            error={errorOf(name)}
          >
            {(attributes) => <input {...attributes} name={name} dir="auto" defaultValue={before[name]} />}
          </Field>
        ))}
        <Field label={t('uid')} hint={t('uidHint')} error={errorOf('uid')}>
          {(attributes) => <input {...attributes} name="uid" required dir="auto" defaultValue={before.uid} />}
        </Field>
      </div>
      <Field label={t('note')} error={errorOf('comment')}>
        {(attributes) => <textarea {...attributes} name="comment" dir="auto" defaultValue={before.comment} />}
      </Field>
      <Choice
        label={t('role')}
        name="role"
        value={before.role}
        options={[
          ['', t('noRole')],
          ['moderator', t('moderator')],
        ]}
        hint={t('roleHint')}
        error={errorOf('role')}
      />
      <label class="check">
        <input type="checkbox" name="is_bot" defaultChecked={before.is_bot === 'on'} /> {t('isBot')}
      </label>
    </>
  );
}
