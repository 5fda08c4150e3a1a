import { Component, type ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isOnline, readAgain } from './api.ts';
import { Dialog } from './components/Dialog.tsx';
import { Failure, Waiting } from './components/Loaded.tsx';
import { NotFound } from './components/NotFound.tsx';
import { Page } from './components/Page.tsx';
import { Shell } from './components/Shell.tsx';
import { SignIn } from './components/SignIn.tsx';
import { Toasts } from './components/Toasts.tsx';
import { direction, language } from './i18n.ts';
import { t } from './messages.ts';
import { match, usePlace } from './router.ts';
import { routes } from './routes.ts';
import { findSession, session, signIn } from './session.ts';
import { useStore } from './store.ts';

/** The console: the view of the address in the shell, or the sign-in. */
export function App() {
  const code = useStore(language);
  const { state } = useStore(session);
  const [refusal, setRefusal] = useState<string>();
  useEffect(() => {
    document.documentElement.lang = code;
    document.documentElement.dir = direction();
  }, [code]);
  useEffect(() => {
    const begin = () => void enter().catch((error: Error) => setRefusal(error.message));
    begin();
    // A link that is pasted over the address of the open console changes only what is behind the `#`.
    const follow = () => window.location.hash !== '' && begin();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return (
    <>
      {state === 'unknown' && refusal === undefined && <Waiting />}
      {(state === 'none' || (state === 'unknown' && refusal !== undefined)) && <Welcome refusal={refusal} />}
      {(state === 'open' || state === 'expired') && (
        // Another language draws everything again; what was read stays.
        <Shell key={code}>
          <View />
        </Shell>
      )}
      {state === 'expired' && <Expired />}
      <Connection />
      <Toasts />
    </>
  );
}

/** Begins a session by the link in the address, which is taken out of it at once; else finds the one of the browser. */
async function enter(): Promise<void> {
  const link = /^#link=(\w+)$/.exec(window.location.hash)?.[1];
  if (link === undefined) return session.get().state === 'unknown' ? await findSession() : undefined;
  history.replaceState(null, '', window.location.pathname + window.location.search);
  try {
    await signIn(link);
  } catch (error) {
    // A link that is opened again in the same browser leads to the session that it began.
    await findSession();
    if (session.get().state === 'none') throw error;
  }
}

function Welcome({ refusal }: { readonly refusal: string | undefined }) {
  useEffect(() => {
    document.title = t('welcome');
  });
  return (
    <main class="welcome">
      <h1>{t('welcome')}</h1>
      {refusal !== undefined && <p class="failure">{t('linkFailed', { reason: refusal })}</p>}
      <SignIn onDone={() => undefined} />
    </main>
  );
}

/** Lies over the view, which keeps what was typed. */
function Expired() {
  return (
    <Dialog title={t('expiredTitle')}>
      <p>{t('expired')}</p>
      <SignIn onDone={readAgain} />
    </Dialog>
  );
}

function Connection() {
  return useStore(isOnline) ? null : (
    <p class="banner" role="alert">
      {t('offline')}
    </p>
  );
}

function View() {
  const { path } = usePlace();
  for (const [pattern, Found] of routes) {
    const params = match(pattern, path);
    if (params !== undefined)
      return (
        <Boundary key={path}>
          <Found params={params} />
        </Boundary>
      );
  }
  return <NotFound />;
}

/** Keeps a view that fails from taking the navigation with it. */
class Boundary extends Component<{ readonly children: ComponentChildren }, { readonly error: unknown }> {
  override state = { error: undefined as unknown };

  override componentDidCatch(error: unknown): void {
    this.setState({ error });
    console.error(error);
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <Page title={t('broken')}>
        <Failure error={error} retry={() => this.setState({ error: undefined })} />
      </Page>
    );
  }
}
