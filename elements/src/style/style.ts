/** A style sheet that elements adopt, of a text that the script has (`import text from './x.css'`): no page permits a style for it. */
export function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}
