/** The page around the two users: the tab in the address decides what both of them see. */

const sights = ['elements', 'comments', 'posts', 'files', 'chat', 'messenger'];

function show() {
  const wanted = location.hash.slice(1);
  const sight = sights.includes(wanted) ? wanted : 'elements';
  for (const tab of document.querySelectorAll('nav a')) {
    if (tab.hash === `#${sight}`) tab.setAttribute('aria-current', 'page');
    else tab.removeAttribute('aria-current');
  }
  for (const element of document.querySelectorAll('[data-person]')) {
    const address = `/demo/people/${element.dataset.person}?show=${sight}`;
    if (element instanceof HTMLIFrameElement) element.contentWindow.location.replace(address);
    else element.href = address;
  }
}

addEventListener('hashchange', show);
show();
