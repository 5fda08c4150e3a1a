/** A client that goes where it is sent and keeps cookies by host, as a browser without script does. */
export class CookieBrowser {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Opens an address, or sends a form to it, and follows where it leads while `goesOn` says so. */
  async open(
    address: string,
    {
      form,
      method,
      goesOn = () => true,
    }: {
      readonly form?: Record<string, string>;
      readonly method?: 'HEAD';
      readonly goesOn?: (next: string) => boolean;
    } = {},
  ): Promise<{
    readonly url: string;
    readonly status: number;
    readonly text: string;
    readonly headers: Headers;
  }> {
    let url = address;
    let body = form;
    for (let hops = 0; hops < 20; hops += 1) {
      const response = await fetch(url, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { cookie: this.#cookieOf(url) },
        redirect: 'manual',
        ...(body === undefined ? {} : { body: new URLSearchParams(body) }),
      });
      this.#keep(url, response.headers.getSetCookie());
      const text = await response.text();
      const next = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || next === null)
        return { url, status: response.status, text, headers: response.headers };
      url = new URL(next, url).href;
      body = undefined;
      if (!goesOn(url)) return { url, status: response.status, text, headers: response.headers };
    }
    throw new Error(`too many redirects, the last to ${url}`);
  }

  #cookieOf(url: string): string {
    return [...(this.#cookies.get(new URL(url).host) ?? [])]
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
  }

  #keep(url: string, set: readonly string[]): void {
    const { host } = new URL(url);
    const kept = this.#cookies.get(host) ?? new Map<string, string>();
    for (const line of set) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') kept.delete(name);
      else kept.set(name, value);
    }
    this.#cookies.set(host, kept);
  }
}
