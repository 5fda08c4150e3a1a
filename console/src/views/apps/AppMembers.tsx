import type { App, AppMember, AutocompleteUser } from 'confab-client';
import { client } from '../../api.ts';
import { Link } from '../../components/Link.tsx';
import { type Column, Filter, List, Search } from '../../components/List.tsx';
import { Failure } from '../../components/Loaded.tsx';
import { toast } from '../../components/Toasts.tsx';
import { defined, useAction, usePages } from '../../data.ts';
import { type Params, usePlace } from '../../router.ts';
import { AppFrame } from './AppFrame.tsx';
import { accessLevels, t } from './messages.ts';
import { People } from './People.tsx';

const suspendedValues = { '': false, suspended: true, both: null } as const;
const roles = ['moderator', 'manager'] as const;

/** The members of one app: find, add, change what they may do, remove. */
export function AppMembers({ params }: { readonly params: Params }) {
  return (
    <AppFrame app={params.app ?? ''}>
      {(app, canManage) => <Members app={app} canManage={canManage && !app.is_trashed} />}
    </AppFrame>
  );
}

type Right = Pick<AppMember, 'access' | 'role'>;

function Members({ app, canManage }: { readonly app: App; readonly canManage: boolean }) {
  const { query } = usePlace();
  const q = query.get('q') ?? undefined;
  const state = query.get('suspended') ?? '';
  const suspended = suspendedValues[state as keyof typeof suspendedValues] ?? false;
  const list = usePages(
    `members ${app.id} ${q} ${state}`,
    (signal) =>
      client.listMembers(app.id, defined({ q, suspended, order_by: 'display_name' as const }), { signal }),
    { live: ['member_', 'user_'] },
  );
  const { changing, removing } = useMemberActions(app.id, list.refresh);
  return (
    <>
      {canManage && <AddMember app={app} onAdd={list.refresh} />}
      <search class="filters">
        <Search label={t('findMember')} />
        <Filter
          label={t('state')}
          name="suspended"
          options={[
            ['', t('active')],
            ['suspended', t('suspended')],
            ['both', t('both')],
          ]}
        />
      </search>
      <Failure error={changing.error ?? removing.error} />
      <List
        label={t('members')}
        list={list}
        columns={columnsOf({
          app,
          canManage,
          change: (member, right) => void changing.run(member, right),
          remove: (member) => void removing.run(member),
        })}
        keyOf={({ id }) => id}
        empty={t('noMembers')}
      />
    </>
  );
}

/** Changes and removals of members, each with its way back. */
function useMemberActions(app: number, refresh: () => void) {
  const put = async (id: number, { access, role }: Right) => {
    await client.addMember(app, id, { access, role: role ?? null });
    refresh();
  };
  const changing = useAction(async (member: AppMember, right: Right) => {
    await put(member.id, right);
    toast(t('memberChanged', { name: member.display_name }), { undo: () => put(member.id, member) });
  });
  const removing = useAction(async (member: AppMember) => {
    await client.removeMember(app, String(member.id));
    refresh();
    toast(t('memberRemoved', { name: member.display_name }), { undo: () => put(member.id, member) });
  });
  return { changing, removing };
}

function AddMember({ app, onAdd }: { readonly app: App; readonly onAdd: () => void }) {
  const adding = useAction(async ({ id, display_name }: AutocompleteUser) => {
    await client.addMember(app.id, id, { access: 'write' });
    onAdd();
    toast(t('memberAdded', { name: display_name }), {
      undo: async () => {
        await client.removeMember(app.id, String(id));
        onAdd();
      },
    });
  });
  return (
    <>
      <People label={t('addMember')} app={app.id}>
        {(user) =>
          user.is_member === true ? (
            <span class="soft">{t('isMember')}</span>
          ) : (
            <button
              type="button"
              disabled={adding.isRunning}
              aria-label={t('addPerson', { name: user.display_name })}
              onClick={() => adding.run(user)}
            >
              {t('add')}
            </button>
          )
        }
      </People>
      <Failure error={adding.error} />
    </>
  );
}

type Editing = {
  readonly app: App;
  readonly canManage: boolean;
  readonly change: (member: AppMember, right: Right) => void;
  readonly remove: (member: AppMember) => void;
};

function columnsOf({ app, canManage, change, remove }: Editing): readonly Column<AppMember>[] {
  return [
    { label: t('name'), cell: ({ display_name }) => <bdi>{display_name}</bdi> },
    { label: t('uid'), cell: ({ uid }) => <code dir="auto">{uid}</code> },
    {
      label: t('role'),
      cell: (member) => {
        if (!canManage) return t(member.role ?? 'member');
        return (
          <Choice
            label={t('roleOf', { name: member.display_name })}
            value={member.role ?? ''}
            options={[['', t('member')], ...roles.map((each) => [each, t(each)] as const)]}
            choose={(role) => change(member, withRole(member, role))}
          />
        );
      },
    },
    {
      label: t('memberAccess'),
      cell: (member) => {
        if (!canManage) return t(member.access);
        return (
          <Choice
            label={t('accessOf', { name: member.display_name })}
            value={member.access}
            options={accessLevels.map((each) => [each, t(each)])}
            choose={(access) => change(member, { ...member, access: access as AppMember['access'] })}
          />
        );
      },
    },
    {
      label: t('more'),
      cell: (member) => (
        <span class="row-actions">
          <Link to={`/apps/${app.id}/access?user=${member.id}`}>{t('why')}</Link>
          {canManage && (
            <button
              type="button"
              class="link"
              aria-label={t('removePerson', { name: member.display_name })}
              onClick={() => remove(member)}
            >
              {t('remove')}
            </button>
          )}
        </span>
      ),
    },
  ];
}

/** A role counts only with the access `write`, so giving one gives that too. */
function withRole(member: AppMember, role: string): Right {
  if (role === '') return { access: member.access };
  return { access: 'write', role: role as (typeof roles)[number] };
}

type ChoiceProps = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly choose: (value: string) => void;
};

function Choice({ label, value, options, choose }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
      {options.map(([each, words]) => (
        <option key={each} value={each} selected={each === value}>
          {words}
        </option>
      ))}
    </select>
  );
}
