import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { jpegOfExifBlocks, png } from 'confab-testing/pictures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { upload } from 'confab-testing/uploads.ts';

const server = useServer();

/** How many values are read from the headers of pictures while `work` runs; the server is in this process. */
async function valuesRead(work: () => Promise<void>): Promise<number> {
  const { getUint16, getUint32 } = DataView.prototype;
  let count = 0;
  DataView.prototype.getUint16 = function (...place) {
    count += 1;
    return getUint16.apply(this, place);
  };
  DataView.prototype.getUint32 = function (...place) {
    count += 1;
    return getUint32.apply(this, place);
  };
  try {
    await work();
  } finally {
    Object.assign(DataView.prototype, { getUint16, getUint32 });
  }
  return count;
}

// Reading the headers of a picture takes a few steps for each of its segments, whatever they claim about each other.
describe('a JPEG of 4,000 Exif blocks, each of which names the rest of the file', () => {
  const bytes = jpegOfExifBlocks(4000);
  const valuesMax = 4000 * 3 + 5000;

  test('as an upload', async () => {
    let size: unknown;
    const values = await valuesRead(async () => {
      const blob = await upload(server, { bytes, name: 'a.jpg' });
      size = [blob.media_type, blob.width, blob.height];
    });
    assert.deepEqual(size, ['image/jpeg', 64, 48]);
    assert.ok(values > 0 && values < valuesMax, `${values} values`);
  });

  test('as the picture of a person', async () => {
    const picture = `data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}`;
    const values = await valuesRead(async () => {
      const { status } = await server.call('PUT', `/api/users/${freshUid('ada')}`, { picture });
      assert.equal(status, 201);
    });
    // Once to see that it is a picture, once to keep its size.
    assert.ok(values > 0 && values < valuesMax * 2, `${values} values`);
  });

  test('as a page on the web', async () => {
    const site = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(bytes);
    });
    await new Promise<void>((resolve) => {
      site.listen(0, '127.0.0.1', resolve);
    });
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/a.jpg`;
    const values = await valuesRead(async () => {
      const { status, body } = await server.call('POST', '/api/embeds', { url });
      assert.deepEqual([status, body.width, body.height], [201, 64, 48]);
    });
    assert.ok(values > 0 && values < valuesMax, `${values} values`);
    site.closeAllConnections();
    site.close();
  });
});

// A pattern that backtracks through a run of white space takes three minutes for this one and blocks the server.
describe('a picture in base64', () => {
  test('of 700,000 spaces is refused', { timeout: 60_000 }, async () => {
    const picture = `data:image/png;base64,${' '.repeat(700_000)}!`;
    const answer = await server.call('PUT', `/api/users/${freshUid('ada')}`, { picture });
    assertProblem(answer, 422, 'validation_failed', '/picture');
  });

  test('may be broken into lines', async () => {
    const lines = Buffer.from(png(9, 9))
      .toString('base64')
      .replace(/(.{8})/g, '$1\r\n ');
    const picture = ` ${lines} \n`;
    const { status, body } = await server.call('PUT', `/api/users/${freshUid('ada')}`, {
      picture: `data:image/png;base64,${picture}`,
    });
    assert.deepEqual([status, body.picture.width], [201, 9]);
  });
});
