import { guideCode, style } from './guide.ts';
import { makeProject, type Packages, type Project } from './packages.ts';
import type { Addresses } from './world.ts';

const post = (title: string, permalink: string) => `---
title: ${title}
permalink: ${permalink}
layout: post.njk
---
Words.
`;

const layout = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{{ title }}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><main><h1>{{ title }}</h1>{{ content | safe }}{% comments %}</main><footer>The end</footer></body>
</html>
`;

/** Makes a project with the configuration of the guide, which `eleventy` builds into `_site`. */
export async function makeEleventy(
  folder: string,
  packages: Packages,
  addresses: Addresses,
): Promise<Project> {
  return await makeProject(folder, packages, {
    dependencies: ['@11ty/eleventy@latest'],
    files: {
      'eleventy.config.js': guideCode('### Eleventy (run)', 'js', addresses),
      '_includes/post.njk': layout,
      'first.md': post('The first post', '/posts/first/'),
      'second.md': post('The second post', '/posts/prüfung~c++/'),
    },
  });
}
