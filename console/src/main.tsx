import { render } from 'preact';
import { App } from './App.tsx';
import './console.css';

const root = document.querySelector('#console');
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
