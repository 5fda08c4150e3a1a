/** The emoji that are completed by name, the most used ones. A name is given in English; the picture is what is written. */
const list =
  '👍+1 👎-1 😀grinning 😃smiley 😄smile 😁grin 😆laughing 😅sweat_smile 🤣rofl 😂joy 🙂slight_smile 🙃upside_down 😉wink 😊blush 😇innocent 🥰hearts_face 😍heart_eyes 🤩star_struck 😘kiss 😋yum 😜wink_tongue 🤪zany 🤗hug 🤭giggle 🤫shush 🤔thinking 🤨raised_eyebrow 😐neutral 😶speechless 😏smirk 😒unamused 🙄eye_roll 😬grimace 😌relieved 😔pensive 😪sleepy 😴sleeping 😷mask 🤒sick 🤢nauseated 🥵hot 🥶cold 🥴woozy 😵dizzy_face 🤯mind_blown 🤠cowboy 🥳partying 😎sunglasses 🤓nerd 🧐monocle 😕confused 😟worried 🙁slight_frown 😮open_mouth 😲astonished 🥺pleading 😢cry 😭sob 😱scream 😖confounded 😞disappointed 😓sweat 😩weary 🥱yawn 😤triumph 😡rage 😠angry 🤬swearing 😈imp 💀skull 💩poop 🤡clown 👻ghost 👽alien 🤖robot 😺cat_smile 🙈see_no_evil 🙉hear_no_evil 🙊speak_no_evil 💋kiss_mark 💯100 💢anger 💥boom 💫dizzy 💦splash 💨dash 💬speech 💭thought 💤zzz 👋wave ✋hand 🖖vulcan 👌ok_hand 🤌pinched ✌️victory 🤞crossed_fingers 🤘metal 🤙call_me 👈point_left 👉point_right 👆point_up 👇point_down ✊fist 👊punch 👏clap 🙌raised_hands 👐open_hands 🤝handshake 🙏pray ✍️writing 💪muscle 🧠brain 👀eyes 👂ear 👶baby 🧑person 🤦facepalm 🤷shrug 💃dancer 🕺dancing ❤️heart 🧡orange_heart 💛yellow_heart 💚green_heart 💙blue_heart 💜purple_heart 🖤black_heart 🤍white_heart 💔broken_heart 💕hearts 🐶dog 🐱cat 🐭mouse 🐰rabbit 🦊fox 🐻bear 🐼panda 🐨koala 🐯tiger 🦁lion 🐮cow 🐷pig 🐸frog 🐵monkey 🐔chicken 🐧penguin 🐦bird 🦉owl 🐝bee 🐛bug 🦋butterfly 🐌snail 🐢turtle 🐍snake 🐙octopus 🐬dolphin 🐳whale 🦄unicorn 🌵cactus 🌲tree 🌱seedling 🌷tulip 🌹rose 🌻sunflower 🍀clover 🍁maple_leaf 🍄mushroom 🌍earth 🌙moon ⭐star 🌟glowing_star ✨sparkles ⚡zap 🔥fire ☀️sun 🌈rainbow ☁️cloud ❄️snowflake ⛄snowman 🌊ocean 🍎apple 🍌banana 🍓strawberry 🍒cherries 🍋lemon 🥑avocado 🍅tomato 🥕carrot 🌶️pepper 🍞bread 🧀cheese 🍔burger 🍟fries 🍕pizza 🌮taco 🍜noodles 🍣sushi 🍦icecream 🍩doughnut 🍪cookie 🎂birthday 🍫chocolate ☕coffee 🍵tea 🍺beer 🍻beers 🥂cheers 🍷wine 🍾champagne ⚽soccer 🏀basketball 🎾tennis 🏆trophy 🥇first_place 🎯dart 🎮video_game 🎲die 🎨art 🎬clapper 🎤microphone 🎧headphones 🎵music 🎸guitar 🎹piano 🚗car 🚌bus 🚲bike 🚆train ✈️airplane 🚀rocket ⛵sailboat 🏠house 🏢office 🌆city ⛺tent 🏖️beach 🏔️mountain 🎁gift 🎈balloon 🎉tada 🎊confetti 🎃pumpkin 🎄christmas_tree 💎gem 👑crown 📱phone 💻laptop 🖥️computer ⌨️keyboard 📷camera 📺tv 📻radio ⏰alarm_clock ⌛hourglass 💡bulb 🔦flashlight 📖book 📚books 📰newspaper ✏️pencil 📝memo 📌pushpin 📎paperclip ✂️scissors 📅calendar 📈chart_up 📉chart_down 📦package 📧email 📣megaphone 🔔bell 🔑key 🔒lock 🔓unlock 🔨hammer 🔧wrench ⚙️gear 🧪test_tube 🔬microscope 🔭telescope 💊pill 🛒cart 💰money 💳card ✅check ✔️tick ❌x ❓question ❗exclamation ⚠️warning 🚫forbidden ♻️recycle 🆕new 🆗ok 🔴red 🟢green 🔵blue ⬆️up ⬇️down ⬅️left ➡️right ➕plus ➖minus 🏁finish 🏳️‍🌈rainbow_flag';

/** All of them, in the order in which they are offered. */
export const known = list.split(' ').map((each) => {
  const [, emoji = '', name = ''] = /^([^a-z0-9+_-]+)(.+)$/.exec(each) ?? [];
  return { emoji, name };
});

/** The emoji whose names begin with a word, or have a part that does. At most `top`. */
export function findEmoji(
  begun: string,
  top: number,
): readonly { readonly emoji: string; readonly name: string }[] {
  const word = begun.toLowerCase();
  const first = known.filter(({ name }) => name.startsWith(word));
  const other = known.filter(({ name }) => !name.startsWith(word) && name.includes(`_${word}`));
  return [...first, ...other].slice(0, top);
}
