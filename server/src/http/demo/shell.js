/** The page around the two users: the tabs in the address decide what both of them see. */

const sights = ['elements', 'comments', 'posts', 'files', 'chat', 'messenger'];
/** The version of the Weavy components that an address without one means. */
const newest = '32';

function show() {
  const [wanted, version = newest] = location.hash.slice(1).split('-');
  const sight = sights.includes(wanted) ? wanted : 'elements';
  const hashOf = (sight, version) =>
    `#${sight}${sight === 'elements' || version === newest ? '' : `-${version}`}`;
  for (const tab of document.querySelectorAll('nav a')) {
    const own = { sight: tab.dataset.sight ?? (sight === 'elements' ? 'comments' : sight) };
    own.version = tab.dataset.version ?? version;
    tab.hash = hashOf(own.sight, own.version);
    const isShown = own.sight === sight && own.version === version;
    if (isShown) tab.setAttribute('aria-current', 'page');
    else tab.removeAttribute('aria-current');
  }
  for (const element of document.querySelectorAll('[data-person]')) {
    const address = `/demo/people/${element.dataset.person}?show=${sight}&version=${version}`;
    if (element instanceof HTMLIFrameElement) element.contentWindow.location.replace(address);
    else element.href = address;
  }
}

addEventListener('hashchange', show);
show();
