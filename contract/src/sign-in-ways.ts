import Type from 'typebox';
import { boolean, string } from './fields.ts';

/** Which visitors may do something. */
const kinds = (description: string) =>
  Type.Unsafe<'none' | 'confirmed' | 'all'>({
    type: 'string',
    enum: ['none', 'confirmed', 'all'],
    description,
  });

/** How visitors can sign in, and what a site lacks for it. */
export const SignInWays = Type.Object(
  {
    ways: Type.Array(string('A way of signing in: `guest`, `email` or the name of a provider.'), {
      description: 'The ways of signing in that the server allows, in the order of `CONFAB_SIGN_IN`.',
    }),
    has_puzzle: boolean('Whether guests have to solve a puzzle.'),
    pictures: kinds(
      'Which visitors may have a picture: none, those who signed in by email or by a provider (`confirmed`), or all.',
    ),
    comment_pictures: kinds(
      'Which visitors may add pictures to comments: none, those who signed in by email or by a provider (`confirmed`), or all. Nobody can while what they write waits for approval.',
    ),
    opens_pages: boolean(
      'Whether visitors who have signed in may open pages of the listed origins: the first of them makes the app of a page, with `PUT /api/apps/{uid}?page=true`.',
    ),
    lacks: Type.Array(
      Type.Unsafe<'origins' | 'sign_in' | 'visitors'>({
        type: 'string',
        enum: ['origins', 'sign_in', 'visitors'],
        description: 'A field of the [site](#operation-updateSite).',
      }),
      {
        description:
          'What keeps visitors from commenting on pages of the `Origin` that asks: it is not listed (`origins`), there is no way of signing in (`sign_in`), or visitors may not write on new pages (`visitors`).',
      },
    ),
  },
  { $id: 'SignInWays', description: 'How visitors can sign in.' },
);
