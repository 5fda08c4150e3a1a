import { guideCode, style } from './guide.ts';
import { makeProject, type Packages, type Project } from './packages.ts';
import type { Addresses } from './world.ts';

const layout = `import './style.css';

export const metadata = { title: 'A blog', icons: 'data:,' };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        {children}
        <footer>The end</footer>
      </body>
    </html>
  );
}
`;

/** Posts, each with a link to another one, which Next shows without loading the page anew. */
const post = `import Link from 'next/link';
import { Comments } from '../../comments';

export default async function Post({ params }) {
  const { slug } = await params;
  return (
    <main>
      <h1>A post</h1>
      <p>Words.</p>
      <p><Link href="/posts/first">The first post</Link></p>
      <Comments path={\`/posts/\${slug}\`} />
    </main>
  );
}
`;

/** The paths of the two posts. */
export const nextPages = { first: '/posts/first', second: '/posts/pr%C3%BCfung~c++' } as const;

/** Makes a project with the component of the guide, whose pages `next start` draws for each reader. */
export async function makeNext(folder: string, packages: Packages, addresses: Addresses): Promise<Project> {
  return await makeProject(folder, packages, {
    dependencies: ['next@latest', 'react@latest', 'react-dom@latest'],
    files: {
      'app/comments.jsx': guideCode('### Next (run)', 'jsx', addresses),
      'app/layout.jsx': layout,
      'app/style.css': style,
      'app/posts/[slug]/page.jsx': post,
    },
  });
}
