import{w as n,x as o,y as p}from"./chunk-WJGTP7V7.js";function i(r){let t;return function(m){let[e,f]=o(()=>t);return p(()=>{e||r().then(l=>f(()=>t=l),()=>{})},[]),e?n(e,{...m}):null}}export{i as a};
