import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { programPath } from 'confab-testing/harness/programs.ts';
import { writeFiles } from './files.ts';
import { guideCode, style } from './guide.ts';
import type { Addresses } from './world.ts';

const page = (css: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{{ .Title }}</title><link rel="canonical" href="{{ .Permalink }}"><link rel="icon" href="data:,"><style>${css}</style></head>
<body><main><h1>{{ .Title }}</h1>{{ .Content }}{{ if .IsPage }}{{ partial "comments.html" . }}{{ end }}</main><footer>The end</footer></body>
</html>
`;

const env = { ...process.env, PATH: programPath };

/** The name of the program with its version. */
export function hugoVersion(): string {
  const said = execFileSync('hugo', ['version'], { env, encoding: 'utf8' });
  return `Hugo ${/v([\d.]+)/.exec(said)?.[1]}`;
}

/** Makes a site with the partial of the guide, and with its style unless there is another. */
export function makeHugo(folder: string, addresses: Addresses, css = style): void {
  writeFiles(folder, {
    'config.toml': `baseURL = "${addresses.site}/"\ntitle = "A blog"\ndisableKinds = ["RSS", "sitemap", "taxonomy", "term"]\n`,
    'layouts/_default/single.html': page(css),
    'layouts/_default/list.html': page(css),
    'layouts/partials/comments.html': guideCode('### Hugo (run)', 'html', addresses),
    'content/posts/first.md': '---\ntitle: The first post\n---\nWords.\n',
    'content/posts/prüfung~c++.md': '---\ntitle: The second post\n---\nWords.\n',
  });
}

/** Builds it into `public` of its folder. */
export function buildHugo(folder: string): void {
  execFileSync('hugo', ['--source', folder, '--destination', join(folder, 'public')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
