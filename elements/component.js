'use client';

import { createElement, forwardRef, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react';

/** Where a server draws, there is no layout, and React warns of effects that wait for it. */
const useElementEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * An element as a component, for React 18 and later: what are properties are set as properties, and events have handlers. The
 * script of the elements is loaded when the first one is in a page, so that servers can draw the tag. The server that code
 * names here is trusted, which an attribute alone does not make it.
 */
export function component(tag, { attributes, properties, events }) {
  const Component = forwardRef((props, ref) => {
    const element = useRef(null);
    const latest = useRef(props);
    latest.current = props;
    useImperativeHandle(ref, () => element.current);
    useElementEffect(() => {
      for (const name of properties) element.current[name] = props[name];
    });
    const { server } = props;
    useElementEffect(() => {
      // In the same turn in which the script defines the element, so that it waits for this.
      void import('./dist/elements.js').then(({ trustServer }) => server && trustServer(server));
    }, [server]);
    useEffect(() => {
      const listeners = Object.entries(events).map(([field, name]) => [
        name,
        (event) => latest.current[field]?.(event),
      ]);
      const { current } = element;
      for (const [name, listener] of listeners) current.addEventListener(name, listener);
      return () => {
        for (const [name, listener] of listeners) current.removeEventListener(name, listener);
      };
    }, []);
    const given = { ref: element };
    for (const [name, value] of Object.entries(props)) {
      if (properties.includes(name) || Object.hasOwn(events, name)) continue;
      // Before version 19, React has no other name for the class of such an element.
      given[name === 'className' ? 'class' : (attributes[name] ?? name)] = value;
    }
    return createElement(tag, given);
  });
  Component.displayName = tag;
  return Component;
}
