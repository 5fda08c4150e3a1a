import type { AccessRule } from 'confab-contract/access.ts';
import type { Principal } from '../kernel/principal.ts';
import type { AppRow } from './access.sql.ts';

/**
 * The level of a caller in an app, with the rules that give it. Everything that is decided about an app is decided by
 * the level, and `explanation.ts` repeats the rules.
 */

const levels = ['none', 'read', 'write', 'moderate', 'manage'] as const;

/** The levels of a caller's rights in an app; each includes the ones before it. */
export type Level = (typeof levels)[number];

/** The fields of a caller that decide their level. */
type Caller = Pick<Principal, 'kind'> & {
  readonly user: Pick<Principal['user'], 'id' | 'directoryId' | 'role'>;
};

type AppFacts = Pick<AppRow, 'access' | 'directoryId' | 'createdById' | 'memberAccess' | 'memberRole'> &
  // Of a visitor alone.
  Partial<Pick<AppRow, 'visitors'>>;

/** A level with the rules that it comes from. */
type Standing = {
  readonly level: Level;
  /** The rule about seeing the app and creating content in it. */
  readonly accessRule: AccessRule;
  /** The rule about deciding on everyone's content and managing the app. */
  readonly roleRule: AccessRule;
};

/** The levels of the roles; the rules that give no role are absent. */
const levelsOfRoles: { readonly [R in AccessRule]?: Level } = {
  manager: 'manage',
  creator: 'manage',
  moderator: 'moderate',
  directory_moderator: 'moderate',
};

/**
 * The caller's level, with its rules. An API key manages everything. A member has the member's own access, which
 * overrides the app's in both directions, and the rights of the member's role while that access is write. Anyone else has
 * the app's access, if the app has no directory or theirs. A moderator of a directory moderates what they see in it
 * (decision 0064). Visitors read an app that is open to them and that every user without a directory may read, and write in
 * it where it lets them and they have signed in; a membership changes nothing for them (decision 0115).
 */
export function standingOf(caller: Caller, app: AppFacts): Standing {
  if (caller.kind === 'key') return { level: 'manage', accessRule: 'api_key', roleRule: 'api_key' };
  if (caller.kind === 'visitor') return visitorStanding(caller, app);
  const accessRule = accessRuleOf(caller.user, app);
  const access = accessRule === 'directory' ? 'none' : accessOf(app);
  if (access === 'none') return { level: access, accessRule, roleRule: accessRule };
  const roleRule = roleRuleOf(caller.user, app, access);
  return { level: levelsOfRoles[roleRule] ?? access, accessRule, roleRule };
}

function visitorStanding({ user }: Caller, { visitors = null, access, directoryId }: AppFacts): Standing {
  const isOpen = visitors !== null && directoryId === null && (access === 'read' || access === 'write');
  const mayWrite = visitors === 'write' && access === 'write' && user.id !== 0;
  return {
    level: !isOpen ? 'none' : mayWrite ? 'write' : 'read',
    accessRule: directoryId === null ? 'app_access' : 'directory',
    roleRule: 'no_role',
  };
}

/** The caller's level, as in `standingOf`. */
export function levelOf(caller: Caller, app: AppFacts): Level {
  return standingOf(caller, app).level;
}

/** Whether a level includes another. */
export function isAtLeast(level: Level, minimum: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(minimum);
}

/** Whether a caller with this level decides on everyone's content. */
export function moderates({ level }: { readonly level: Level }): boolean {
  return level === 'moderate' || level === 'manage';
}

/** The rule by which a user sees an app and writes in it, or does not. */
function accessRuleOf({ directoryId }: Caller['user'], app: AppFacts): AccessRule {
  if (app.memberAccess !== null) return 'member_access';
  return app.directoryId === null || app.directoryId === directoryId ? 'app_access' : 'directory';
}

function accessOf({ memberAccess, access }: AppFacts): 'none' | 'read' | 'write' {
  const own = memberAccess ?? access;
  return own === 'write' || own === 'read' ? own : 'none';
}

/** The rule by which a user decides on everyone's content and manages the app, or does not. */
function roleRuleOf(user: Caller['user'], app: AppFacts, access: Level): AccessRule {
  const role = memberRoleOf(user.id, app);
  if (role !== undefined && access === 'write') return role;
  if (moderatesDirectoryOf(user, app)) return 'directory_moderator';
  if (role !== undefined) return 'role_without_write';
  return app.createdById === user.id ? 'creator_without_role' : 'no_role';
}

/**
 * The role of a member. A membership that a program without roles wrote has none: there the creator of the app manages
 * (decision 0034).
 */
function memberRoleOf(userId: number, app: AppFacts): 'manager' | 'creator' | 'moderator' | undefined {
  if (app.memberAccess === null) return undefined;
  if (app.memberRole === null) return app.createdById === userId ? 'creator' : undefined;
  return app.memberRole === 'manager' || app.memberRole === 'moderator' ? app.memberRole : undefined;
}

/** Whether a user moderates the apps of their directory, or as one without a directory every app, and this is one. */
function moderatesDirectoryOf({ role, directoryId }: Caller['user'], app: AppFacts): boolean {
  return role === 'moderator' && (directoryId === null || directoryId === app.directoryId);
}
