import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { programPath } from '../harness/programs.ts';
import { writeFiles } from './files.ts';
import { guideCode, style } from './guide.ts';

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{{ .Title }}</title><link rel="canonical" href="{{ .Permalink }}"><link rel="icon" href="data:,"><style>${style}</style></head>
<body><main><h1>{{ .Title }}</h1>{{ .Content }}{{ if .IsPage }}{{ partial "comments.html" . }}{{ end }}</main><footer>The end</footer></body>
</html>
`;

/** The paths of the two pages. The name of the second has letters that an address encodes. */
export const hugoPages = { first: '/posts/first/', second: '/posts/zweite-pr%C3%BCfung/' } as const;

const env = { ...process.env, PATH: programPath };

/** The name of the program with its version. */
export function hugoVersion(): string {
  const said = execFileSync('hugo', ['version'], { env, encoding: 'utf8' });
  return `Hugo ${/v([\d.]+)/.exec(said)?.[1]}`;
}

/** Builds a site with the partial of the guide, whose files for the web are in `public` of the folder. */
export function buildHugo(folder: string, { site, server }: { site: string; server: string }): void {
  writeFiles(folder, {
    'config.toml': `baseURL = "${site}/"\ntitle = "A blog"\ndisableKinds = ["RSS", "sitemap", "taxonomy", "term"]\n`,
    'layouts/_default/single.html': page,
    'layouts/_default/list.html': page,
    'layouts/partials/comments.html': guideCode('### Hugo (run)', 'html', server),
    'content/posts/first.md': '---\ntitle: The first post\n---\nWords.\n',
    'content/posts/zweite-prüfung.md': '---\ntitle: The second post\n---\nWords.\n',
  });
  execFileSync('hugo', ['--source', folder, '--destination', join(folder, 'public')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
