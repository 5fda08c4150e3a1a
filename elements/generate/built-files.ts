import { elementTypes, reactComponents, reactTypes, svelteTypes, vueTypes } from './declarations.ts';
import { elementsFiles } from './elements-files.ts';
import { manifest } from './manifest.ts';

/** The folder that has nothing but the scripts below: their names change with their content. */
export const builtFolder = 'elements/dist';

/** The package: the scripts, and the elements as editors and frameworks know them. */
export async function builtFiles(): Promise<Readonly<Record<string, string>>> {
  return {
    'elements/custom-elements.json': manifest(),
    'elements/index.d.ts': await elementTypes(),
    'elements/react.js': reactComponents(),
    'elements/react.d.ts': reactTypes(),
    'elements/vue.d.ts': vueTypes(),
    'elements/svelte.d.ts': svelteTypes(),
    ...(await elementsFiles()),
  };
}
