/** What tests run inside pages, beside what the page itself does. */

/** Every element of the page, those in shadow roots as well. */
function* everyElement(root = document) {
  for (const element of root.querySelectorAll('*')) {
    yield element;
    if (element.shadowRoot !== null) yield* everyElement(element.shadowRoot);
  }
}

/** Clicks every link in a text as its reader might, and answers how many there are; addresses of the web stay closed. */
globalThis.clickEveryLink = () => {
  const links = [...everyElement()].filter(
    (element) =>
      element instanceof HTMLAnchorElement && element.closest('.wy-content, [part~=wy-content], [data-html]'),
  );
  addEventListener('click', (event) => {
    const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
    if (link !== undefined && /^(https?|mailto):$/.test(link.protocol)) event.preventDefault();
  });
  for (const link of links) link.click();
  return links.length;
};

/** Sets each text as the HTML of an element of its own, as a careless page does. */
globalThis.setAsHtml = (texts) => {
  for (const text of texts) {
    const element = document.createElement('div');
    element.setAttribute('data-html', '');
    document.querySelector('main').append(element);
    element.innerHTML = text;
  }
};
