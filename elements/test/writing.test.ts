import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Comment } from '../src/thread/comment.ts';
import { createDrafts } from '../src/write/drafts.ts';
import { findEmoji } from '../src/write/emoji.ts';
import { type Format, formatted } from '../src/write/format.ts';
import { createMentions } from '../src/write/mentions.ts';
import { ownReaction, withReaction } from '../src/write/reactions.ts';
import { createStore } from '../src/write/store.ts';
import { changes } from '../src/write/versions.ts';

const noStorage = () => {
  throw new Error('blocked');
};

// What is typed in one tab is never overwritten by another one, and never lost with it.
describe('drafts', () => {
  function tabs(person: () => number | undefined = () => 7) {
    const store = createStore(noStorage);
    let time = 0;
    const now = () => ++time;
    return ['a', 'b'].map((tab) => createDrafts(store, { prefix: 'app ', tab, person, now })) as [
      ReturnType<typeof createDrafts>,
      ReturnType<typeof createDrafts>,
    ];
  }

  it('keeps those of two tabs apart', () => {
    const [a, b] = tabs();
    a.write('new', 'of a');
    b.write('new', 'of b');
    assert.equal(a.read('new'), 'of a');
    assert.equal(b.read('new'), 'of b');
    a.forget('new', 'of a');
    assert.equal(b.read('new'), 'of b');
    // The tab that has nothing shows what another has left.
    assert.equal(a.read('new'), 'of b');
  });

  it('are of the person who is signed in, who takes over what was written before', () => {
    let person: number | undefined;
    const [a, b] = tabs(() => person);
    person = 7;
    a.write('new', 'of Ada');
    person = undefined;
    assert.equal(a.read('new'), undefined);
    a.write('new', 'before signing in');
    b.write('to-5', 'an answer');
    person = 8;
    a.adopt();
    assert.equal(a.read('new'), 'before signing in');
    assert.deepEqual(a.places().toSorted(), ['new', 'to-5']);
    person = undefined;
    assert.deepEqual(a.places(), []);
    a.write('new', 'of Ada again');
    b.write('new', 'something else');
    person = 7;
    a.adopt();
    assert.deepEqual([a.read('new'), b.read('new')], ['of Ada again', 'something else']);
    person = undefined;
    a.write('new', 'another text');
    person = 7;
    a.adopt();
    a.forget('new', 'another text');
    b.forget('new', 'something else');
    // What she had there herself is not lost.
    assert.equal(a.read('new'), 'of Ada again');
  });

  it('forgets a text that was sent in every tab that shows the same', () => {
    const [a, b] = tabs();
    a.write('to-5', 'same');
    b.write('to-5', 'same');
    assert.deepEqual(a.places(), ['to-5']);
    b.forget('to-5', 'same');
    assert.equal(a.read('to-5'), undefined);
    assert.deepEqual(a.places(), []);
  });

  it('keeps neither blank ones nor those of long ago', () => {
    const store = createStore(noStorage);
    let now = 0;
    const drafts = createDrafts(store, { prefix: '', tab: 'a', person: () => 7, now: () => now });
    drafts.write('new', ' \n ');
    assert.deepEqual(drafts.places(), []);
    drafts.write('new', 'x');
    now = 31 * 86_400_000;
    assert.deepEqual(drafts.places(), []);
    assert.equal(drafts.read('new'), undefined);
  });
});

// The buttons of the toolbar format what is selected, and take back what they did.
describe('formatting', () => {
  /** What is in `|...|` is selected. */
  function apply(format: Format, marked: string): string {
    const start = marked.indexOf('|');
    const end = marked.lastIndexOf('|') - 1;
    const text = marked.replaceAll('|', '');
    const to = formatted(format, { text, start, end: Math.max(start, end) });
    const result = text.slice(0, to.start) + to.text + text.slice(to.end);
    const [from, until] = to.select;
    return `${result.slice(0, from)}|${result.slice(from, until)}|${result.slice(until)}`;
  }

  for (const [format, before, after] of [
    ['bold', 'a |b| c', 'a **|b|** c'],
    ['bold', 'a **|b|** c', 'a |b| c'],
    ['bold', 'a || c', 'a **||** c'],
    ['italic', '前|b|后', '前*|b|*后'],
    ['italic', '*|b|*', '|b|'],
    ['italic', '**|b|**', '***|b|***'],
    ['italic', '***|b|***', '**|b|**'],
    ['bold', '***|b|***', '*|b|*'],
    ['bold', '*|b|*', '***|b|***'],
    ['strike', 'a |b| c', 'a ~~|b|~~ c'],
    ['strike', '~~|b|~~', '|b|'],
    ['code', '|b|', '`|b|`'],
    ['code', '|a\nb|', '```\n|a\nb|\n```'],
    ['block', 'a|b|c', 'a\n```\n|b|\n```\nc'],
    ['block', 'a\n||', 'a\n```\n||\n```'],
    ['link', 'see |this|', 'see [this](|https://|)'],
    ['link', '|https://example.com|', '[||](https://example.com)'],
    ['quote', 'a\n|b\nc|\nd', 'a\n|> b\n> c|\nd'],
    ['quote', '|> b\n> c|', '|b\nc|'],
    ['list', 'a||', '- a||'],
    ['numbers', '|a\nb|', '|1. a\n2. b|'],
  ] as const)
    it(`makes ${JSON.stringify(after)} of ${JSON.stringify(before)} by ${format}`, () => {
      assert.equal(apply(format, before), after);
    });
});

// A field has names, and what is kept and sent has links, whatever else is written around them.
describe('mentions', () => {
  const ada = '[@Ada](@u3)';

  for (const [shown, text] of [
    ['Ask @Ada, (@Ada) or **@Ada**.', `Ask ${ada}, (${ada}) or **${ada}**.`],
    ['@Ada @Ada Lovelace', `${ada} [@Ada Lovelace](@u4)`],
    ['@Ada [@Ada](@u5)', `${ada} [@Ada](@u5)`],
    ['@A [b] \\\\ (c)* @Ada', `[@A \\[b\\] \\\\\\\\ (c)*](@u6) ${ada}`],
    ['@田中さんと', '[@田中](@u7)さんと'],
    ['@김철수님', '[@김철수](@u8)님'],
    // As names these would mean something else.
    [`${ada}s`, `${ada}s`],
    [`@Ada and ${ada}`, `@Ada and ${ada}`],
    [`a${ada}`, `a${ada}`],
    ['Nobody', 'Nobody'],
  ] as const)
    it(`shows ${shown}`, () => {
      const mentions = createMentions();
      assert.equal(mentions.short(text), shown);
      assert.equal(mentions.long(shown), text);
    });

  it('makes no link of a name that was not chosen', () => {
    const mentions = createMentions();
    assert.equal(mentions.short(ada), '@Ada');
    assert.equal(mentions.long('@Adalbert, @Bob and ada@Ada'), '@Adalbert, @Bob and ada@Ada');
    mentions.clear();
    assert.equal(mentions.long('@Ada'), '@Ada');
  });
});

// The counts change as the server will say.
describe('reacting', () => {
  const comment = (reactions: Comment['reactions']) => ({ id: 1, reactions }) as unknown as Comment;
  const visitor = { id: 7, isVisitor: true };
  const user = { id: 7, isVisitor: false };

  it('adds, moves and takes back that of a visitor', () => {
    const before = comment([{ content: '👍', count: 2 }]);
    const added = withReaction(before, visitor, '👍');
    assert.deepEqual(added.reactions, [{ content: '👍', count: 3, is_own: true }]);
    const moved = withReaction(added, visitor, '🎉');
    assert.deepEqual(moved.reactions, [
      { content: '👍', count: 2 },
      { content: '🎉', count: 1, is_own: true },
    ]);
    assert.equal(ownReaction(moved, visitor), '🎉');
    assert.deepEqual(withReaction(moved, visitor, undefined).reactions, before.reactions);
  });

  it('adds, moves and takes back that of a user', () => {
    const before = comment([{ content: '👍', count: 1, created_by_id: 5 }]);
    const added = withReaction(before, user, '👍');
    assert.deepEqual(added.reactions, [
      { content: '👍', count: 2, created_by_id: 5 },
      { content: '👍', count: 2, created_by_id: 7 },
    ]);
    const moved = withReaction(added, user, '🎉');
    assert.deepEqual(moved.reactions, [
      { content: '👍', count: 1, created_by_id: 5 },
      { content: '🎉', count: 1, created_by_id: 7 },
    ]);
    assert.deepEqual(withReaction(moved, user, undefined).reactions, before.reactions);
  });
});

// What was removed and what was added are the two versions.
describe('versions', () => {
  it('shows the words that were removed and added', () => {
    assert.deepEqual(changes('one two three', 'one 2 three four'), [
      { kind: 'kept', text: 'one ' },
      { kind: 'removed', text: 'two three' },
      { kind: 'added', text: '2 three four' },
    ]);
  });

  it('loses no character of either', () => {
    for (const [before, after] of [
      ['', 'a b'],
      ['a b', ''],
      ['a\n\nb  c', 'b  c\na'],
      ['x '.repeat(2000), 'y'],
    ] as const) {
      const pieces = changes(before, after);
      const text = (without: string) =>
        pieces.flatMap((piece) => (piece.kind === without ? [] : [piece.text])).join('');
      assert.equal(text('added'), before);
      assert.equal(text('removed'), after);
    }
  });
});

describe('emoji', () => {
  it('are found by the beginning of a name, and have one each', () => {
    assert.equal(findEmoji('tad', 6)[0]?.emoji, '🎉');
    assert.deepEqual(findEmoji('+1', 6), [{ emoji: '👍', name: '+1' }]);
    for (const { emoji, name } of findEmoji('', 1000))
      assert.match(`${emoji} ${name}`, /^\P{L}+ [a-z0-9_+-]+$/u);
    assert.ok(findEmoji('', 1000).length > 200);
  });
});
