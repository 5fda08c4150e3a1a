/** The code below "In your language" of a page of `docs/`, by the name of the language. */
declare module '*.md' {
  const code: { readonly [language: string]: string };
  export default code;
}
