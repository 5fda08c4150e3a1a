import { guideCode, style } from './guide.ts';
import { makeProject, type Packages, type Project } from './packages.ts';
import type { Addresses } from './world.ts';

const page = (title: string) => `---
import Comments from '../../components/Comments.astro';
---
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"><style is:global>${style}</style></head>
<body><main><h1>${title}</h1><p>Words.</p><Comments /></main><footer>The end</footer></body>
</html>
`;

/** Makes a project with the component of the guide, which `astro build` builds into `dist`. */
export async function makeAstro(folder: string, packages: Packages, addresses: Addresses): Promise<Project> {
  return await makeProject(folder, packages, {
    dependencies: ['astro@latest'],
    files: {
      'astro.config.mjs': `export default { site: ${JSON.stringify(addresses.site)} };\n`,
      'src/components/Comments.astro': guideCode('### Astro (run)', 'astro', addresses),
      'src/pages/posts/first.astro': page('The first post'),
      'src/pages/posts/prüfung~c++.astro': page('The second post'),
    },
  });
}
