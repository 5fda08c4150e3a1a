/** Sends a file as multipart/form-data and reports how much has been sent, which `fetch` does not do. */

/** Resolves to a Response. `onProgress` gets `{ loaded, total }` in bytes of the request. */
export async function upload(fetch, address, { file, onProgress, ...sent }) {
  const form = new FormData();
  if (file.name === undefined) form.append('blob', file, 'file');
  else form.append('blob', file, file.name);
  if (onProgress === undefined) return await fetch(address, { ...sent, body: form });
  if (typeof XMLHttpRequest === 'function') return await sendWatched(address, { ...sent, form, onProgress });
  const encoded = new Response(form);
  const total = file.size;
  let loaded = 0;
  const counter = new TransformStream({
    transform(chunk, output) {
      loaded = Math.min(loaded + chunk.byteLength, total);
      onProgress({ loaded, total });
      output.enqueue(chunk);
    },
  });
  const headers = { ...sent.headers, 'content-type': encoded.headers.get('content-type') };
  return await fetch(address, { ...sent, headers, body: encoded.body.pipeThrough(counter), duplex: 'half' });
}

/** Sends a form with XMLHttpRequest, which reports the progress of an upload in browsers. */
async function sendWatched(address, { method, headers, signal, form, onProgress }) {
  return await new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress({ loaded, total });
    request.onload = () => {
      const { status, responseText: text } = request;
      const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
      const fields = lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      });
      resolve(new Response(text === '' ? null : text, { status, headers: fields }));
    };
    request.onerror = () => reject(new TypeError('the upload failed'));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}
