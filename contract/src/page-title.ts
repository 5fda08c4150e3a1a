import Type from 'typebox';

/** The title of a web page. A stranger may send it, so it is shorter than a name that an owner gives. */
export const PageTitle = Type.String({
  maxLength: 200,
  description: 'The title of the web page: the name of the app, if this creates it.',
});
