import './console.css';
import { render } from 'preact';
import { App } from './App.tsx';

const root = document.querySelector('#console');
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
