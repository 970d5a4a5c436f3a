// What pages are written with. Every text shows characters that turn its direction, or that nobody sees, by their names.
import { html as written } from './vendor/htm-preact.js';
import { visible } from './format.js';

export * from './vendor/htm-preact.js';

const SPOKEN = ['title', 'alt', 'aria-label', 'placeholder'];

/** Fields and addresses keep their values as they are; texts do not. */
function shown(node) {
  if (typeof node === 'string') {
    return visible(node);
  }
  if (Array.isArray(node)) {
    return node.map(shown);
  }
  if (node && typeof node.type === 'string') {
    const { props } = node;
    props.children = shown(props.children);
    SPOKEN.filter(name => props[name]).forEach(name => { props[name] = visible(props[name]); });
  }
  return node;
}

export function html(...parts) {
  return shown(written(...parts));
}
