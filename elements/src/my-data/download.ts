import type { Api, Failure } from '../shared.ts';

/** Saves everything that the server has of a user as a file. Resolves to why it does not. */
export async function download(api: Api, user: number): Promise<Failure | undefined> {
  try {
    const response = await api.send(`/api/users/${user}/export`);
    if (!response.ok) {
      const { status, headers } = response;
      const problem = await response.json().catch(() => undefined);
      const retryAfter = Number(headers.get('retry-after')) || undefined;
      return { ok: false, status, code: '', message: problem?.detail ?? '', retryAfter };
    }
    const address = URL.createObjectURL(await response.blob());
    const link = Object.assign(document.createElement('a'), { href: address, download: 'my-data.tar' });
    link.click();
    // The browser has to have begun to save it.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    return undefined;
  } catch {
    return { ok: false, status: 0, code: '', message: '', retryAfter: undefined };
  }
}
