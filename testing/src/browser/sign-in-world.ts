import type { Browser } from 'playwright-core';
import { type MailServer, startMailServer } from '../network/mail-server.ts';
import { type OidcProvider, startOidcProvider } from '../network/oidc-provider.ts';
import { freePort } from '../network/ports.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { launchBrowser } from './browser.ts';
import { type Host, startHost } from './host.ts';

/** A browser, a host of pages, and a server at which visitors sign in in every way, with what it needs for that. */
export type SignInWorld = {
  readonly host: Host;
  readonly server: TestServer;
  readonly browser: Browser;
  readonly mailServer: MailServer;
  readonly provider: OidcProvider;
  close(): Promise<void>;
};

/** Starts everything that visitors of a page of the host sign in with. */
export async function startSignInWorld(): Promise<SignInWorld> {
  const [host, browser, mailServer] = await Promise.all([startHost(), launchBrowser(), startMailServer()]);
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const provider = await startOidcProvider([`${publicUrl}/sign-in/callback/local`], (subject) => ({
    name: `Name of ${subject}`,
  }));
  const { id, secret } = provider.client;
  const server = await startTestServer({
    CONFAB_PORT: String(port),
    CONFAB_PUBLIC_URL: publicUrl,
    CONFAB_SIGN_IN: 'guest,email,local',
    CONFAB_SIGN_IN_PICTURES: 'all',
    CONFAB_SIGN_IN_PROVIDERS: JSON.stringify({
      local: { issuer: provider.issuer, client_id: id, client_secret: secret },
    }),
    CONFAB_EGRESS_ALLOW: '127.0.0.1',
    CONFAB_SMTP_URL: mailServer.url,
    CONFAB_MAIL_FROM: 'no-reply@example.com',
    CONFAB_CORS_ORIGINS: host.url,
  });
  return {
    ...{ host, server, browser, mailServer, provider },
    async close() {
      await browser.close();
      await server.close();
      await mailServer.close();
      await provider.close();
      await host.close();
    },
  };
}
