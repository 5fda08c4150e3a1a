import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { client } from '../api.ts';
import { useQuery } from '../data.ts';
import { chooseLanguage, type Language, language, languages } from '../i18n.ts';
import { t } from '../messages.ts';
import { navigate, usePlace } from '../router.ts';
import { areas } from '../routes.ts';
import { caller, hasKey, mayCall, signOut } from '../session.ts';
import { shortcuts, useShortcuts } from '../shortcuts.ts';
import { useStore } from '../store.ts';
import { Dialog } from './Dialog.tsx';
import { Link } from './Link.tsx';

/** What surrounds every view: the areas, who is signed in, the language and the keys. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { path } = usePlace();
  const shown = areas.filter(({ isForKeys }) => isForKeys !== true || hasKey());
  useShortcuts([
    { keys: '?', label: t('keyHelp'), run: () => setHelpOpen(true) },
    ...shown.map(({ path: to, label, key }) => ({
      keys: `g ${key}`,
      label: t('keyGo', { name: label() }),
      run: () => navigate(to),
    })),
  ]);
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the areas stand in a row that scrolls; the page itself stays where it is.
    const row = nav.current?.getBoundingClientRect();
    const area = nav.current?.querySelector('[aria-current]')?.getBoundingClientRect();
    if (row === undefined || area === undefined) return;
    if (area.left < row.left) nav.current?.scrollBy(area.left - row.left, 0);
    if (area.right > row.right) nav.current?.scrollBy(area.right - row.right, 0);
  }, [path]);
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {t('skip')}
      </a>
      <header class="side">
        <Link to="/" class="brand">
          Confab
        </Link>
        <nav ref={nav} aria-label={t('navigation')}>
          {shown.map(({ path: to, label }) => (
            <Link
              key={to}
              to={to}
              isCurrent={to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)}
            >
              {label()}
            </Link>
          ))}
        </nav>
        <Account onHelp={() => setHelpOpen(true)} />
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
    </div>
  );
}

function Account({ onHelp }: { readonly onHelp: () => void }) {
  const code = useStore(language);
  return (
    <div class="account">
      <p class="soft" dir="auto">
        {hasKey() ? <KeyInUse /> : t('signedInAs', { name: caller().user.display_name })}
      </p>
      <label>
        <span class="hidden">{t('language')}</span>
        <select value={code} onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}>
          {Object.entries(languages).map(([each, name]) => (
            <option key={each} value={each} lang={each} selected={each === code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <div class="buttons">
        <button type="button" class="quiet" aria-label={t('keys')} onClick={onHelp}>
          ?
        </button>
        <button type="button" class="quiet" onClick={signOut}>
          {t('signOut')}
        </button>
      </div>
    </div>
  );
}

/** Which API key is in use; that of links has no secret that anyone knows, and so no hint. */
function KeyInUse() {
  const { data: key } = useQuery('key in use', async (signal) => {
    const keys = mayCall('read') ? await client.listKeys({ signal }) : [];
    return { found: keys.find(({ is_current }) => is_current === true) };
  });
  if (key?.found === undefined) return t('signedInAs', { name: t('apiKey') });
  const { name, hint } = key.found;
  return hint === '' ? t('signedInByLink') : t('signedInWith', { name });
}

function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={t('keys')} onClose={onClose}>
      <dl class="keys">
        {useStore(shortcuts).map(({ keys, label }) => (
          <div key={`${keys} ${label}`}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
