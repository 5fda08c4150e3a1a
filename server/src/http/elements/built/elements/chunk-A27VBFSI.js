function e(){try{return localStorage}catch{return}}export{e as a};
